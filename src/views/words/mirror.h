// What the picture of a link shows, in words and numbers, as JSON: for screen readers, and for a page without a canvas.
// Gives only as much as a person would read, so it cuts a large matrix to a piece around the pinned cell.
#pragma once

#include <string>

#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"
#include "playground/visit/session.h"

namespace attn {

// JSON: {"link", "notes", "offer": {"label", "link"} or null (heads_offer), "sentence": {"number", "count", "text"},
// "tokens", "stages": [{"name", "title", "letters", "shape", "formula", "meaning", "has_heads"}], "shown": null without
// tokens, else {"name", "row_kind", "column_kind", "rows": {"first", "labels", "total"}, "columns": likewise,
// "num_heads", "heads": [{"head", "values"}], "pinned": null or {"head" (null: all together), "row", "column", "value",
// "lines"}, "strongest": null or {"head", "cells": [{"row", "column", "value"}]}}, "view": {"kind", "tables":
// [{"title", "columns", "rows"}], "values": {key: values} of keys_of_view}, "undo": acts, "acts": [{"title", "words",
// "acts"}], "check": null or CheckText, "lesson": null outside lessons, else {"name", "title", "step", "count",
// "step_title", "text", "printed_sentence", "printed": tables, "leave": link}, "lessons": [{"name", "title", "group",
// "about", "steps", "minutes"}], "values": {key: values} of the keys that decide numbers, since a link leaves out what
// is as its lesson has it, "fixed": keys that the model decides, "open_groups": titles of the groups of settings that
// the state opens}. Heads and steps count from 1, rows and columns from 0. Only the enlarged head if there is
// one. Values are rows of texts, as the picture prints them; null stands for a hidden key, "?" for a number that is
// blank (View::check). From the head on that would be more than kMirrorNumbers of them, the first apart, values are
// null: mirror_head_as_json has them.
std::string mirror_as_json(const ReadLink& link);

// The same from finished numbers: `evaluator` is complete for the link's state. With the session of a visit that is at
// this link, and whose checks were kept (keep_checks), it also has "undo", "check" and what was answered: without, they
// are empty. Acts are {"name", "label", "is_possible"}: see do_act.
std::string mirror_as_json(const ReadLink& link, const Evaluator& evaluator, const Session* visit = nullptr);

// The "values" of a head of "shown". `head` counts from 1 and moves to the nearest that exists. Null without tokens.
std::string mirror_head_as_json(const ReadLink& link, const Evaluator& evaluator, int head);

}  // namespace attn
