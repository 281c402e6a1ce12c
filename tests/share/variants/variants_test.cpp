#include "share/variants/variants.h"

#include <catch_amalgamated.hpp>
#include <set>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "share/worksheet/sheet_needs.h"

namespace attn {
namespace {

std::string names_in(std::string_view list) {
    std::string names;
    for (const std::string& name : read_names(list).names) names += concat(names.empty() ? "" : "|", name);
    return names;
}

VariantSet variants_of(std::string_view link, std::string_view list, bool has_pages = false) {
    Result<VariantSet> set =
        make_variants(read_link(link).state, read_names(list), {.has_pages = has_pages, .paper = Paper::a4});
    REQUIRE(set);
    return std::move(*set);
}

bool has_note(const VariantSet& set, std::string_view words) {
    return std::ranges::any_of(set.notes,
                               [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST_CASE("a list may be lines, a column or a table", "[name_list]") {
    CHECK(names_in("Ada Lovelace\r\n\n  Bob \nCyd") == "Ada Lovelace|Bob|Cyd");
    CHECK(names_in("Ada, Bob, Cyd") == "Ada|Bob|Cyd");
    CHECK(names_in("Ada;Bob") == "Ada|Bob");
    CHECK(names_in("\xef\xbb\xbfLovelace,Ada,ada@x.org,1815\nCurie,Marie,m@x.org,1867") == "Lovelace Ada|Curie Marie");
    CHECK(names_in("First name,Surname,Email\nAda,Lovelace,a@x\nMarie,Curie,m@x") == "Ada Lovelace|Marie Curie");
    CHECK(names_in("Id\tName\n1\tAda\n2\tBob") == "Ada|Bob");
    CHECK(names_in("NAME\nAda\nBob") == "Ada|Bob");
    CHECK(names_in("name;mark\n\"Lovelace; Ada\";1\n\"O\"\"Hara\";2") == "Lovelace; Ada|O\"Hara");
    CHECK(names_in("Student 1\nStudent 2") == "Student 1|Student 2");  // no name of a column
    CHECK(names_in("Name") == "Name");                                 // of one line nothing is a heading
    CHECK(names_in("1\n2") == "1|2");                                  // people may be numbers
}

TEST_CASE("no list stops the program", "[name_list][bad-input]") {
    CHECK(names_in("").empty());
    CHECK(names_in(" \n\t\t \n").empty());
    CHECK(names_in("\"Ada\nBob") == "\"Ada|Bob");  // a quote that nothing closes
    CHECK(names_in("\xff\xfe\nAda") == "\ufffd\ufffd|Ada");
    CHECK(names_in("=1+1\n<img src=x>\n\u202eadA").find("=1+1|<img src=x>|<U+202e>adA") == 0);
    std::string many;
    for (int n = 0; n < 600; ++n) many += concat("Student ", n, "\n");
    const NameTable table = read_names(many);
    CHECK(table.names.size() == kMostNames);
    CHECK(table.notes.front() == "100 names left out: a list has at most 500");
    CHECK(read_names(std::string(3 << 20, 'a')).names.empty());
}

TEST_CASE("each student has a link with numbers of their own", "[variants]") {
    const VariantSet set = variants_of("text=a+b+c&check=weights", "Ada\nBob\nCyd");
    REQUIRE(set.variants.size() == 3);
    std::set<std::vector<double>> different;
    for (const Variant& variant : set.variants) {
        const ReadLink read = read_link(variant.link);
        CHECK(read.notes.empty());
        CHECK(read.state.inputs.seed == variant.seed);
        CHECK(read.state.inputs.embed_seed == variant.seed);
        CHECK(read.state.view.check == std::set{TensorId::weights});
        const Evaluation evaluation = evaluate(read.state.inputs, 0);
        for (std::size_t n = 0; n < set.asked.size(); ++n)
            CHECK(variant.answers[n] == answer_of(evaluation, set.asked[n]));
        different.insert(variant.answers);
    }
    CHECK(different.size() == 3);
    CHECK(set.notes.empty());
    CHECK(variants_of("text=a+b+c&check=weights", "Cyd\nAda").variants[1].link == set.variants[0].link);
}

TEST_CASE("only seeds that decide something change", "[variants]") {
    const PlaygroundState typed = read_link("text=a&embed=typed&x=1,2&d_in=2&pos=none&dropout=0.5").state;
    const PlaygroundState other = with_seed(typed, 9);
    CHECK(other.inputs.seed == 9);
    CHECK(other.inputs.dropout_seed == 9);
    CHECK(other.inputs.embed_seed == typed.inputs.embed_seed);
    const PlaygroundState plain = with_seed(read_link("text=a&init=none").state, 9);
    CHECK(plain.inputs.embed_seed == 9);
    CHECK(plain.inputs.seed == 123);
    CHECK(plain.inputs.dropout_seed == 123);
}

TEST_CASE("a lesson's link stays the lesson's", "[variants]") {
    const VariantSet set = variants_of("lesson=causal&step=8", "Ada\nBob");
    CHECK(set.variants[0].link.find("lesson=causal&step=8") != std::string::npos);
    CHECK(set.variants[0].answers != set.variants[1].answers);
}

TEST_CASE("it is said when all have the same numbers, and when nothing is asked", "[variants]") {
    CHECK(has_note(
        variants_of("text=a+b&embed=typed&x=1,2;3,4&d_in=2&d_out=2&heads=1&pos=none&init=identity&check=weights",
                    "A\nB"),
        "all students get the same numbers"));
    CHECK(has_note(variants_of("text=a+b&heads=1&edit=queries[0,0]=1,2,3,4;5,6,7,8&hide=queries[1,1,*]", "A\nB"),
                   "all students get the same answers"));
    CHECK(has_note(variants_of("text=a+b", "A\nB"), "the link asks for nothing"));
    CHECK(has_note(variants_of("text=a+b", "Ada\nada\nAda"), "the seed of \"Ada\""));
    CHECK_FALSE(has_seeded_numbers(read_link("model=first-words").state.inputs));
}

TEST_CASE("worksheets and key have a part for each student, and nothing that runs", "[variants][bad-input]") {
    const std::string long_name(300, 'n');
    const VariantSet set =
        variants_of("text=a+b+c&hide=weights[1,2,*]",
                    concat("Ada\n=1+1\n<script>alert(1)</script>\n\u0645\u062d\u0645\u062f\n", long_name), true);
    for (const std::string* page : {&set.worksheets, &set.key}) {
        CHECK(page->find("<script") == std::string::npos);
        CHECK(page->find("&lt;script&gt;") != std::string::npos);
        CHECK(page->find(std::string(80, 'n') + "…") != std::string::npos);
        CHECK(page->find(std::string(81, 'n')) == std::string::npos);
        CHECK(page->find("\u0645\u062d\u0645\u062f") != std::string::npos);
    }
    CHECK(set.key.find("who has which numbers") != std::string::npos);
    CHECK(set.variants.back().name == long_name);  // the links' table has all of it
}

TEST_CASE("tables keep a name that a spreadsheet would compute a text", "[variants][bad-input]") {
    const VariantSet set = variants_of("text=a+b&hide=weights[1,1,*]&x=.4,-3", "=HYPERLINK(\"x\")\n@a\nb\"c");
    const std::string links = links_as_csv(set, "https://example.org/p/");
    CHECK(links.starts_with("name,seed,link\r\n\"'=HYPERLINK(\"\"x\"\")\","));
    CHECK(links.find("\r\n'@a,") != std::string::npos);
    CHECK(links.find(concat(",\"https://example.org/p/#", set.variants[1].link, "\"\r\n")) != std::string::npos);
    const std::string key = key_as_csv(set);
    CHECK(key.find("\r\n'@a,") != std::string::npos);
    CHECK(key.find("weights[1,1,0]") != std::string::npos);
}

TEST_CASE("what cannot be made is refused with a sentence", "[variants][bad-input]") {
    const PlaygroundState state = read_link("text=a+b").state;
    CHECK(make_variants(state, read_names(" \n"), {}).error() == "There is no name in the list: write one a line.");
    CHECK(make_variants(read_link("text=a+b+c+d&d_in=512&d_out=64&heads=1&check=queries").state, read_names("A"),
                        {.has_pages = true, .paper = Paper::a4})
              .error()
              .starts_with("The worksheet would have"));
}

}  // namespace
}  // namespace attn
