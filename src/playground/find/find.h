// Finds settings, views and lessons by the field's words: "GQA" finds the setting of key heads and the lesson about
// them. What is found comes from the table of keys, the list of views and the list of lessons; find.cpp adds the words
// that these do not say. Panel and text version ask here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"

namespace attn {

enum class FoundKind { setting, view, lesson };

struct Found {
    FoundKind kind;
    std::string_view name;   // the link key, the view's name, the lesson's name
    std::string_view title;  // "GQA: key heads"
    std::string where;       // "setting, Variants"; "view"; "lesson 17, 9 min"
    std::string_view about;  // one line
};

// What has every word of `query` at the beginning of one of its own words, the best first: a title that begins with
// it, other titles, the field's words, help. Letters of either case are the same. Leaves out what this page hides and
// what an open model decides. Nothing for a query without a letter or digit.
std::vector<Found> find_by_words(std::string_view query, const PlaygroundState& state);

// The setting in whose row a visitor finds this one while it has none of its own: "pos" of "rope_base". Empty: none.
std::string_view setting_before(std::string_view key);

// JSON: [{"kind", "name", "title", "where", "about"}], the same list.
std::string found_as_json(std::string_view query, const PlaygroundState& state);

}  // namespace attn
