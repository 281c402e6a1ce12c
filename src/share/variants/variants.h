// One link for each student of a class, with numbers of its own, the worksheets of all of them, and a key for the
// teacher. The seed comes from the name (core/words/name_seed.h), so nothing has to be kept: the same link and the same
// list give the same numbers again. Knows no page and no files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "core/words/name_seed.h"
#include "playground/check/check_me.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "share/questions/quiz.h"
#include "share/worksheet/worksheet.h"

namespace attn {

// --- the list
// ---------------------------------------------------------------------------------------------------------

inline constexpr std::size_t kMostNames = 500;
inline constexpr std::size_t kMaxNameListBytes = 1 << 20;

struct NameTable {
    std::vector<std::string> names;  // normal_name, none empty, in the order of the list, at most kMostNames
    Notes notes;                     // what was left out, which columns were taken
};

// The names in `bytes`. Cells are separated by tabs, else by semicolons, else by commas; as in CSV a cell in double
// quotes may hold these and line breaks. Lines that are empty are passed over.
//   - One cell a line: the name. One line alone with several cells: a name a cell.
//   - A first line that names columns ("Name", "Full name", "Student"; or both "First name" and "Last name",
//     "Given name" and "Surname"): the names of those columns, the given name first; the line is no student.
//   - Else numbers and mail addresses are left out, and the other cells of a line are one name, joined by a blank.
NameTable read_names(std::string_view bytes);

// --- what is made of it
// ---------------------------------------------------------------------------------------------------------

// Whether a seed decides some of the numbers of these inputs: a model's, typed ones and matrices without random numbers
// are everybody's.
bool has_seeded_numbers(const Inputs& inputs);

// `state` with the numbers of a seed: the seed of the matrices, and where they are drawn those of the token vectors (or
// the table of positions) and of dropout.
PlaygroundState with_seed(const PlaygroundState& state, std::uint64_t seed);

// One student's.
struct Variant {
    std::string name;
    std::uint64_t seed = 1;
    bool is_moved = false;        // another student of the list has the seed of this name
    std::string link;             // write_link
    std::vector<double> answers;  // to VariantSet::asked, in their order
};

struct VariantSet {
    std::vector<Variant> variants;
    std::vector<Question> asked;           // the same for all; empty where the link asks for nothing
    std::vector<std::string> asked_words;  // "weights, head 1, brush → artist"
    std::string worksheets, key;           // pages for print; empty where nothing is asked
    Quiz quiz;    // a section for each student, "Ada Lovelace, seed 123"; as VariantOptions wants
    Notes notes;  // what the teacher has to know: all have the same numbers, names left out, ...
};

// What is made of a list: a link a student at least.
struct VariantOptions {
    bool has_pages = false;                    // worksheets and key, too
    std::optional<QuizFormat> questions = {};  // for a course system, too
    Paper paper = Paper::a4;
};

// Makes them a student at a time, as the numbers of each have to be computed.
class VariantWork {
public:
    // `state` is legal.
    VariantWork(const PlaygroundState& state, NameTable names, VariantOptions options);
    // One student more. Returns whether all are there.
    bool advance();
    // To be taken once. The error is a sentence: no names, no memory for the numbers, a worksheet or
    // questions that cannot be made.
    Result<VariantSet> take();

private:
    PlaygroundState state_;
    VariantOptions options_;
    std::vector<NamedSeed> seeds_;
    VariantSet set_;
    std::string refusal_;
};

Result<VariantSet> make_variants(const PlaygroundState& state, NameTable names, VariantOptions options);

// name,seed,link: CSV as csv_field writes it, `address` before each "#link".
std::string links_as_csv(const VariantSet& set, std::string_view address);
// name,seed,question,asked,answer: a row an answer, for the teacher.
std::string key_as_csv(const VariantSet& set);
// {"notes", "asked": [{"question", "asked"}], "variants": [{"name", "seed", "is_moved", "link", "answers"}]}
std::string variants_as_json(const VariantSet& set, std::string_view address);

}  // namespace attn
