// The attn command as a person at a terminal uses it: arguments and standard input in, text and exit code out.
#include "cli/command.h"

#include <catch_amalgamated.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/exports/exports.h"
#include "share/opening/open_file.h"

using namespace attn;
using nlohmann::json;

namespace {

struct Outcome {
    int exit_code;
    std::string out, err;
};

Outcome run(std::vector<std::string> arguments, const std::string& standard_input = "") {
    std::istringstream in(standard_input);
    std::ostringstream out, err;
    const int exit_code = run_command(arguments, in, out, err);
    return {exit_code, out.str(), err.str()};
}

std::string output_of(std::vector<std::string> arguments, const std::string& standard_input = "") {
    const Outcome outcome = run(std::move(arguments), standard_input);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

json json_of(std::vector<std::string> arguments, const std::string& standard_input = "") {
    return json::parse(output_of(std::move(arguments), standard_input));
}

}  // namespace

TEST_CASE("trace prints every stage as JSON", "[cli]") {
    const json trace = json_of({"trace", "https://host.example/#text=The+cat+sat&heads=4"});
    CHECK(trace["link"] == "v=1&text=The+cat+sat&heads=4");
    CHECK(trace["notes"].empty());
    CHECK(trace["sentences"][0]["tokens"] == json::array({"The", "cat", "sat"}));
    CHECK(trace["sentences"][0]["stages"].size() == 11);
    for (const json& stage : trace["sentences"][0]["stages"]) {
        if (stage["name"] == "weights") CHECK(stage["shape"] == json::array({4, 3, 3}));
    }
}

TEST_CASE("trace takes a stage and a format, in any order", "[cli]") {
    const std::string csv = output_of({"trace", "--format", "csv", "text=a+b", "--stage", "keys"});
    CHECK(csv.starts_with("sentence,stage,head,row,column,value\n1,keys,1,0,0,"));
    const std::string text = output_of({"trace", "--stage", "weights", "text=a+b", "--format", "text"});
    CHECK(text.find("weights (num_heads, T, T) = (2, 2, 2)") != std::string::npos);
    CHECK(text.find("keys") == std::string::npos);
    CHECK(json_of({"trace", "", "--format", "json"})["link"] == "v=1");
}

TEST_CASE("a trace that is too large for a file is refused before it is computed", "[cli][bad-input]") {
    std::string link = "heads=64&d_out=64";
    std::string text(2 * 2048 - 1, 'x');
    for (std::size_t i = 1; i < text.size(); i += 2) text[i] = '+';
    for (int sentence = 0; sentence < 2; ++sentence) link += "&text=" + text;
    const auto [exit_code, out, err] = run({"trace", link});
    CHECK(exit_code == 2);
    CHECK(out.empty());
    CHECK(err.starts_with("The file would be too large: all stages have "));
    CHECK(run({"trace", link, "--stage", "weights"}).err.starts_with("The file would be too large: weights of all "));
}

TEST_CASE("what turns or hides a line of the terminal is named", "[cli][bad-input]") {
    const std::string err = run({"explain\u202e\x1b[31m"}).err;
    CHECK(err.find("explain<U+202e>\uFFFD[31m") != std::string::npos);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"trace", "--stage", "a\u202eb\n"},
                                               {"export", "a\u2067b"},
                                               {"trace", "--session", "a\u202eb\x07"},
                                               {"export", "json", "a\u202eb=1"},
                                               {"train", "--recipe", "a\u200fb", "--out", "x"},
                                               {"trace", "--model", "a\u202eb", "text=a"}}) {
        const std::string told = run(arguments).err;
        CAPTURE(told);
        CHECK(!told.empty());
        for (const std::string_view mark : {"\u202e", "\u2067", "\u200f", "\x07"})
            CHECK(told.find(mark) == std::string::npos);
    }
}

TEST_CASE("a malformed link is no error but a note", "[cli][bad-input]") {
    const json trace = json_of({"trace", "heads=5&d_out=16&nonsense&text=a%FF&seed=abc"});
    CHECK(trace["notes"].size() == 4);
    const std::string text = output_of({"trace", "heads=5&d_out=16", "--format", "text"});
    CHECK(text.find("note: heads set to 4: 16 channels cannot be split into 5 equal heads; 5 heads need d_out 20\n") !=
          std::string::npos);
}

TEST_CASE("a sentence comes from the option or from standard input", "[cli]") {
    CHECK(json_of({"trace", "text=x&heads=4", "--text", "two words"})["link"] == "v=1&text=two+words&heads=4");
    CHECK(json_of({"trace", "--text", "--help"})["sentences"][0]["text"] == "--help");
    CHECK(json_of({"trace", "--text", "-"}, "from a pipe\r\n")["sentences"][0]["text"] == "from a pipe");
    CHECK(json_of({"trace", "--text", "-"}, "two\nlines\n")["sentences"][0]["text"] == "two\nlines");
    CHECK(json_of({"trace", "--text", "-"}, "")["sentences"][0]["stages"].empty());
    CHECK(json_of({"trace", "--text", "a", "--text", "-"}, "b")["sentences"].size() == 2);
    CHECK(json_of({"trace", "--text", "-"}, "\xFF")["notes"].size() == 1);
    const json large = json_of({"trace", "--text", "-", "--stage", "merged"}, std::string(300000, 'a'));
    CHECK(large["sentences"][0]["text"].get<std::string>().size() == kMaxTextBytes);
    CHECK(large["notes"].size() == 1);
}

// docs/files.md: blanks are of the picture, its text and its files; a program may compute them all the same.
TEST_CASE("numbers that are blank are in no file, but trace and explain compute them", "[cli]") {
    const std::string plain = "text=a+small+step&heads=2";
    const std::string link = plain + "&check=weights";
    const auto explained = [](const std::string& of) {
        return output_of({"explain", of, "--stage", "weights", "--head", "2", "--row", "2", "--column", "1"});
    };
    CHECK(explained(link) == explained(plain));
    const auto traced = [](const std::string& of) {
        return output_of({"trace", of, "--stage", "weights", "--format", "csv"});
    };
    CHECK(traced(link) == traced(plain));
    CHECK(run({"export", "csv", plain, "--stage", "weights"}).exit_code == 0);
    CHECK(run({"export", "csv", link, "--stage", "weights"}).exit_code != 0);
}

TEST_CASE("explain prints what one number is made of", "[cli]") {
    const std::string link = "text=The+cat+sat";
    const std::string text =
        output_of({"explain", link, "--stage", "weights", "--head", "2", "--row", "2", "--column", "1"});
    CHECK(
        text.starts_with("weights, head 2, query 2 \"sat\", key 1 \"cat\"\nweight = exp(score − row max) / row sum\n"));
    const json exported = json_of(
        {"explain", link, "--stage", "weights", "--head", "2", "--row", "2", "--column", "1", "--format", "json"});
    CHECK(exported["stage"] == "weights");
    CHECK(exported["head"] == 2);
    CHECK(exported["divisor_terms"].size() == 3);
    // The pinned cell is explained when the options name none, and options win over it.
    CHECK(output_of({"explain", link + "&cell=2,2,1"}) == text);
    CHECK(output_of({"explain", link + "&stage=context&cell=1,0,0", "--stage", "weights", "--head", "2", "--row", "2",
                     "--column", "1"}) == text);
    CHECK(output_of({"explain", link, "--stage", "output", "--row", "0", "--column", "3"})
              .starts_with("output, token 0 \"The\", channel 3\n"));
    const std::string noted = output_of({"explain", link + "&heads=3", "--head", "1", "--row", "0", "--column", "0"});
    CHECK(noted.starts_with("note: heads set to 2"));
}

TEST_CASE("cache follows a sentence token by token, and counts what its cache saves", "[cli]") {
    const json cache = json_of({"cache", "text=a+b+c+d&prompt=2&heads=2&kv_heads=1", "--format", "json"});
    CHECK(cache["tokens"] == json::array({"a", "b", "c", "d"}));
    CHECK(cache["prompt"] == 2);
    REQUIRE(cache["passes"].size() == 3);
    CHECK(cache["passes"][0]["tokens"] == json::array({0, 1}));
    CHECK(cache["passes"][2]["kept_rows"] == 3);
    CHECK(cache["counts"][0]["cached"]["count"] == 4);
    CHECK(cache["counts"][0]["without"]["count"] == 2 + 3 + 4);
    CHECK(cache["is_same"] == true);
    CHECK(cache["digest_cached"] == cache["digest_without"]);
    // The newest row of each pass is the row that the whole sentence has.
    const json weights = json_of({"trace", "text=a+b+c+d&heads=2&kv_heads=1", "--stage", "weights"});
    for (int head = 0; head < 2; ++head) {
        const json rows = weights["sentences"][0]["stages"][0]["values"][head];
        CHECK(cache["passes"][2]["weights"][head] == rows[3]);
        CHECK(cache["passes"][1]["weights"][head] == json::array({rows[2][0], rows[2][1], rows[2][2]}));
    }

    const std::string text = output_of({"cache", "text=a+b+c&prompt=1&mask=none"});
    CHECK(
        text.starts_with("prompt: \"a\" is its last token, 1 new row, 0 rows in the cache\nstep 1: \"b\" is computed"));
    CHECK(text.find("The ways differ") != std::string::npos);
    CHECK(run({"cache", "text="}).err == "The sentence is empty, so there is nothing to keep in a cache.\n");
    CHECK(run({"cache", "text=a", "--format", "csv"}).err == "attn cache prints text or json, not csv.\n");
}

TEST_CASE("what is asked for and does not exist is one sentence and exit code 2", "[cli][bad-input]") {
    const std::vector<std::vector<std::string>> refused = {
        {},
        {""},
        {"draw"},
        {"trace"},
        {"explain"},
        {"trace", "text=a", "text=b"},
        {"trace", "text=a", "--colour"},
        {"trace", "text=a", "-f"},
        {"trace", "text=a", "--stage"},
        {"trace", "text=a", "--stage", "queries "},
        {"trace", "text=a", "--stage", "w_query"},
        {"trace", "text=a", "--stage", "dropped_weights"},
        {"trace", "text=a&out=0", "--stage", "output"},
        {"trace", "text=a", "--format", "xml"},
        {"trace", "text=a", "--head", "1"},
        {"trace", "--text", "-", "--text", "-"},
        {"explain", "text=a"},
        {"explain", "text=a", "--row", "0", "--column", "0"},
        {"explain", "text=", "--head", "1", "--row", "0", "--column", "0"},
        {"explain", "text=a", "--head", "0", "--row", "0", "--column", "0"},
        {"explain", "text=a", "--head", "3", "--row", "0", "--column", "0"},
        {"explain", "text=a", "--head", "1", "--row", "1", "--column", "0"},
        {"explain", "text=a", "--head", "1", "--row", "-1", "--column", "0"},
        {"explain", "text=a", "--head", "1", "--row", "0", "--column", "1"},
        {"explain", "text=a", "--head", "1", "--row", "zero", "--column", "0"},
        {"explain", "text=a", "--head", "99999999999", "--row", "0", "--column", "0"},
        {"explain", "text=a", "--stage", "embeddings", "--head", "2", "--row", "0", "--column", "0"},
        {"explain", "text=a", "--out", "file"},
        {"trace", "text=a", "--session", "/no such folder/file.attention"},
        {"trace", "text=a", "--session", "-"},
        {"trace", "--session", "-"},
        {"trace", "--session", "/no such folder/file.attention"},
        {"trace", "--session", "/"},
        {"trace", "--session", "-", "--text", "-"},
        {"export"},
        {"export", "word"},
        {"export", "text=a"},
        {"export", "session", "text=a", "text=b"},
        {"export", "session", "text=a", "--stage", "color"},
        {"export", "session", "text=a", "--out", "/no such folder/file"},
        {"export", "session", "text=a", "--format", "json"},
        {"keys", "text=a"},
        {"keys", "--format", "csv"},
        {"keys", "--stage", "weights"},
    };
    for (const std::vector<std::string>& arguments : refused) {
        std::string command = "attn";
        for (const std::string& argument : arguments) command += " '" + argument + "'";
        CAPTURE(command);
        const Outcome outcome = run(arguments);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
        CHECK(outcome.err.ends_with(".\n"));
    }
    CHECK(run({"explain", "text=a+b", "--head", "1", "--row", "9", "--column", "0"}).err ==
          "There is no row 9: weights has rows 0 to 1 here.\n");
}

TEST_CASE("what a stranger's text says is one line of an error", "[cli][bad-input]") {
    const std::vector<std::vector<std::string>> refused = {
        {"trace", "text=a", "--stage", "weights\nnote: all is well"},
        {"no\r\nsuch"},
        {"trace", "text=a", "text=b\u2028c\nd"},
        {"trace", "--session", "/no such\nfolder/file"},
        {"export", "session", "text=a", "--out", "/no such\nfolder/file"},
        {"trace", "--session", "-"},
    };
    for (const std::vector<std::string>& arguments : refused) {
        const Outcome outcome = run(arguments, R"({"format": "two\nlines\r\n"})");
        CAPTURE(outcome.err);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.err.find_first_of("\n\r") == outcome.err.size() - 1);
        CHECK(outcome.err.find("\u2028") == std::string::npos);
    }
    const Outcome noted = run({"export", "session", "two%0Alines=1"});
    CHECK(noted.err == "note: ignored in the link, no such key: \"two lines\"\n");
}

TEST_CASE("a session file that is too large is refused with its size and the limit", "[cli][bad-input]") {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "attn-large.attention";
    std::ofstream(file) << "{";
    std::filesystem::resize_file(file, kMaxFileBytes + 1);  // takes no room: the rest is a hole
    CHECK(run({"trace", "--session", file.string()}).err ==
          concat('"', file.string(), "\" has 65 MiB; at most 64 can be opened.\n"));
    std::filesystem::resize_file(file, std::uintmax_t{5} << 30U);
    CHECK(run({"trace", "--session", file.string()}).err ==
          concat('"', file.string(), "\" has 5,120 MiB; at most 64 can be opened.\n"));
    std::filesystem::remove(file);
    const Outcome piped = run({"trace", "--session", "-"}, std::string(kMaxFileBytes + 1, ' '));
    CHECK(piped.err == "Standard input has more than 64 MiB, the most that can be opened.\n");
    CHECK(
        run({"trace", "--session", "-"}, std::string(kMaxFileBytes, ' ')).err.starts_with("The session file has more"));
}

TEST_CASE("a session file is a state, as a link is", "[cli]") {
    const std::string link = "text=a+b&heads=4&cell=2,1,0";
    const std::string session = output_of({"export", "session", link});
    CHECK(output_of({"trace", "--session", "-"}, session) == output_of({"trace", link}));
    CHECK(output_of({"explain", "--session", "-"}, session) == output_of({"explain", link}));
    CHECK(output_of({"export", "session", "--session", "-"}, session) == session);
    CHECK(json_of({"trace", "--session", "-", "--text", "new"}, session)["link"] == "v=1&text=new&heads=4&cell=2,0,0");
    CHECK(run({"trace", "--session", "-"}, "{").err.find("line 1, column 2") != std::string::npos);
}

TEST_CASE("export writes the file of the export table, and says on the side what was moved", "[cli]") {
    const PlaygroundState state = read_link("text=a+b").state;
    Evaluator evaluator;
    evaluator.update(state);
    const Result<ExportedFile> file = export_file(ExportKind::session, state, evaluator, {});
    REQUIRE(file);
    CHECK(output_of({"export", "session", "text=a+b"}) == file->bytes);
    CHECK(output_of({"export", "session", "--text", "a b"}) == file->bytes);
    const Outcome moved = run({"export", "session", "text=a+b&heads=3", "--options", "head=9"});
    CHECK(moved.exit_code == 0);
    CHECK(moved.err.starts_with("note: heads set to 2"));
    CHECK(moved.err.find("note: head set to 2") != std::string::npos);
    const std::string list = output_of({"export", "--list"});
    for (const ExportInfo& info : export_table()) CHECK(list.find(info.about) != std::string::npos);
}

TEST_CASE("export writes to a file, or into a folder under the file's own name", "[cli]") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "attn-export-test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const std::string path = (folder / "state.attention").string();
    const std::string written = output_of({"export", "session", "text=a+b"});
    CHECK(output_of({"export", "session", "text=a+longer+sentence+is+cut", "--out", path}).empty());
    CHECK(output_of({"export", "session", "text=a+b", "--out", path}).empty());  // over the one that is there
    CHECK(output_of({"export", "session", "--session", path}) == written);
    CHECK(output_of({"export", "session", "text=a+b", "--out", folder.string()}).empty());
    CHECK(output_of({"export", "session", "--session", (folder / "attention-a-b.attention").string()}) == written);
    std::filesystem::remove_all(folder);
}

TEST_CASE("keys prints the key table", "[cli]") {
    const std::string text = output_of({"keys"});
    for (const KeyInfo& info : key_table()) {
        CAPTURE(info.key);
        CHECK(text.find(concat(info.key, " ")) != std::string::npos);
        CHECK(text.find(info.help()) != std::string::npos);
        CHECK(text.find(info.legal()) != std::string::npos);
    }
    CHECK(output_of({"keys", "--format", "json"}) == keys_as_json());
}

TEST_CASE("help and version", "[cli]") {
    const std::string help = output_of({"--help"});
    CHECK(help.find("attn trace") != std::string::npos);
    for (const StageInfo& info : stage_table()) CHECK(help.find(info.name) != std::string::npos);
    CHECK(output_of({"trace", "--help"}) == help);
    CHECK(output_of({"-h"}) == help);
    CHECK(output_of({"--version"}).starts_with("attn "));
}

TEST_CASE("variants prints a link for each student, or writes all that a teacher prints", "[cli]") {
    const std::string names = "Ada\n=1+1\n";
    const Outcome links =
        run({"variants", "text=a+b&check=weights", "--names", "-", "--address", "https://x.org/"}, names);
    CHECK(links.exit_code == 0);
    CHECK(links.out.starts_with("name,seed,link\r\nAda,"));
    CHECK(links.out.find("\r\n'=1+1,") != std::string::npos);
    CHECK(links.out.find("\"https://x.org/#v=1&text=a+b&") != std::string::npos);
    const json variants = json_of({"variants", "text=a+b&check=weights", "--names", "-", "--format", "json"}, names);
    CHECK(variants["variants"].size() == 2);
    CHECK(variants["asked"].size() == variants["variants"][0]["answers"].size());

    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "attn_variants_test" / "class";
    std::filesystem::remove_all(folder.parent_path());
    const Outcome files = run(
        {"variants", "text=a+b&check=weights", "--names", "-", "--out", folder.string(), "--paper", "letter"}, names);
    CHECK(files.exit_code == 0);
    CHECK(files.out.empty());
    for (const std::string_view name : {"links.csv", "key.csv", "worksheets.html", "key.html"})
        CHECK(std::filesystem::file_size(folder / name) > 0);
    const Outcome questions = run(
        {"variants", "text=a+b&check=weights", "--names", "-", "--out", folder.string(), "--questions", "qti"}, names);
    CHECK(questions.exit_code == 0);
    CHECK(std::filesystem::file_size(folder / "questions.zip") > 0);
    CHECK(run({"variants", "text=a+b&check=weights", "--names", "-", "--questions", "gift"}, names)
              .out.starts_with("$CATEGORY: $course$/Attention Playground/Ada, seed "));
    const Outcome none = run({"variants", "text=a+b", "--names", "-", "--out", (folder / "links.csv").string()}, names);
    CHECK(none.exit_code == 2);
    CHECK(none.err.find("Cannot make the folder") != std::string::npos);
    std::filesystem::remove_all(folder.parent_path());
}

TEST_CASE("variants refuses what it does not understand with a sentence", "[cli][bad-input]") {
    const auto refusal = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "variants");
        const Outcome outcome = run(std::move(arguments), "");
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        return outcome.err;
    };
    CHECK(refusal({}).starts_with("The link is missing"));
    CHECK(refusal({"text=a"}).starts_with("The list is missing"));
    CHECK(refusal({"text=a", "--names", "-"}).starts_with("There is no name in the list"));
    CHECK(refusal({"text=a", "text=b", "--names", "-"}).starts_with("One link is enough"));
    CHECK(refusal({"text=a", "--names"}).starts_with("--names wants a value"));
    CHECK(refusal({"text=a", "--names", "/nowhere/at/all"}).starts_with("Cannot read"));
    CHECK(refusal({"text=a", "--names", "-", "--format", "xml"}).starts_with("attn variants prints csv or json"));
    CHECK(refusal({"text=a", "--names", "-", "--paper", "a3"}).starts_with("--paper is a4 or letter"));
    CHECK(refusal({"text=a", "--names", "-", "--address", "javascript:1"}).starts_with("--address wants"));
    CHECK(refusal({"text=a", "--names", "-", "--questions", "xml"}).starts_with("--questions is moodle, gift or qti"));
    CHECK(refusal({"text=a", "--key", "1"}).starts_with("attn variants has no option"));
}
