// Files of torch.save made by hand: what is read, and what is refused. tests/torch/torch_files.test.mjs has those that
// PyTorch itself has saved.
#include "model/files/torch_file.h"

#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "model/files/memory_source.h"
#include "model/files/pickle.h"
#include "model/files/torch_bytes.h"

using attn::concat;
using attn::StoredTensor;
using attn::test::MemorySource;
using attn::test::old_torch_file;
using attn::test::pickled_dictionary;
using attn::test::pickled_tensor;
using attn::test::pickled_text;
using attn::test::pickled_whole;
using attn::test::stored_zip;
using attn::test::torch_file;

namespace {

std::string torch_refusal(const std::string& bytes) {
    MemorySource file("x.bin", bytes);
    const auto tensors = attn::read_torch_file(file);
    return tensors ? "" : tensors.error();
}

std::string refusal_of_pickle(const std::string& pickle) {
    return torch_refusal(torch_file(pickle, std::string(24, '\0')));
}
std::string refusal_of_tensor(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& strides) {
    return refusal_of_pickle(pickled_dictionary({{"w", pickled_tensor("Float", offset, sizes, strides)}}));
}

}  // namespace

TEST_CASE("tensors of a file of torch.save have their places and strides", "[torch]") {
    const std::string pickle = pickled_dictionary({{"w", pickled_tensor("Float", 1, {2, 2}, {2, 1})},
                                                   {"turned", pickled_tensor("Float", 0, {3, 2}, {1, 3})},
                                                   {"step", pickled_whole(-3)},
                                                   {"one", pickled_tensor("BFloat16", 2, {}, {})},
                                                   {"none", pickled_tensor("Long", 0, {0, 4}, {4, 1})}});
    const std::string numbers = "the six floats are here.";
    const std::string bytes = torch_file(pickle, numbers);
    MemorySource file("x.bin", bytes);
    const auto read = attn::read_torch_file(file);
    INFO(read.error());
    REQUIRE(read);
    const std::vector<StoredTensor>& tensors = read->tensors;
    const std::uint64_t begin = bytes.find(numbers);
    const auto named = [&](std::string_view name) {
        for (const StoredTensor& tensor : tensors)
            if (tensor.name == name) return tensor;
        FAIL("no " << name);
        return StoredTensor();
    };
    REQUIRE(tensors.size() == 4);
    CHECK((named("w").begin == begin + 4 && named("w").end == begin + 20 && named("w").strides.empty()));
    CHECK(named("turned").strides == std::vector<std::int64_t>{1, 3});
    CHECK((named("turned").begin == begin && named("turned").end == begin + 24));
    CHECK((named("one").type->name == "BF16" && named("one").begin == begin + 4 && named("one").end == begin + 6));
    CHECK(named("none").begin == named("none").end);
}

TEST_CASE("a tensor that reaches beyond its storage is refused", "[torch][bad-input]") {
    CHECK(refusal_of_tensor(0, {6}, {1}).empty());
    CHECK(refusal_of_tensor(5, {1, 1}, {1'000'000, 7}).empty());  // a stride along one number is none
    const std::string beyond = R"(The file "x.bin" has the tensor "w" that reaches beyond its numbers.)";
    const std::string none = R"(The file "x.bin" has the tensor "w", whose sizes are none.)";
    CHECK(refusal_of_tensor(0, {7}, {1}) == beyond);
    CHECK(refusal_of_tensor(1, {6}, {1}) == beyond);
    CHECK(refusal_of_tensor(0, {2, 2}, {5, 1}) == beyond);
    CHECK(refusal_of_tensor(-1, {1}, {1}) == beyond);
    CHECK(refusal_of_tensor(-INT64_MAX, {2}, {1}) == beyond);
    CHECK(refusal_of_tensor(7, {0}, {1}) == beyond);
    CHECK(refusal_of_tensor(INT64_MAX, {1}, {1}) == beyond);
    CHECK(refusal_of_tensor(0, {2}, {std::int64_t{1} << 40}) == beyond);
    CHECK(refusal_of_tensor(0, {-1}, {1}) == none);
    CHECK(refusal_of_tensor(0, {2}, {-1}) == none);
    CHECK(refusal_of_tensor(0, {std::int64_t{1} << 30, std::int64_t{1} << 30}, {0, 0}) == none);
    CHECK(refusal_of_tensor(0, {1, 2}, {1}) == R"(The file "x.bin" has the tensor "w", whose sizes cannot be read.)");
    CHECK(refusal_of_pickle(pickled_dictionary({{"w", pickled_tensor("QInt8", 0, {1}, {1})}})) ==
          R"(The file "x.bin" has the tensor "w" of the type "QInt8", which is not known.)");
    const std::string one = pickled_tensor("Float", 0, {1}, {1});
    CHECK(refusal_of_pickle(pickled_dictionary({{"w", one}, {"w", one}})) ==
          R"(The file "x.bin" has two tensors of the name "w".)");
    CHECK(torch_refusal(stored_zip({{"archive/data.pkl", pickled_dictionary({{"w", one}})}})) ==
          R"(The file "x.bin" has the tensor "w", whose numbers are not in the file.)");
}

TEST_CASE("a pickle that does more than list tensors is refused, and nothing of it is run", "[torch][bad-input]") {
    CHECK(
        refusal_of_pickle("\x80\x02"
                          "cos\nsystem\n" +
                          pickled_text("touch /tmp/x") + "\x85R.") ==
        "The file \"x.bin\" names \"os.system\", which is more than tensors; this program runs nothing of a file. Save "
        "the model's state_dict() alone, or as safetensors.");
    CHECK(refusal_of_pickle(concat("\x80\x04", pickled_text("builtins"), pickled_text("eval"), "\x93."))
              .find("\"builtins.eval\"") != std::string::npos);
    CHECK(refusal_of_pickle("\x80\x02i__main__\nX\n.").find("the instruction 105 of Python's pickle") !=
          std::string::npos);
    const std::string damaged = "The file \"x.bin\" is cut or damaged: its list of tensors cannot be read.";
    for (const std::string& pickle :
         {std::string(), std::string("\x80\x02"), std::string("\x80\x02."), std::string("\x80\x63N."),
          std::string("(t"), std::string("t."), std::string("]a."), std::string("N)u."), std::string("}NR."),
          std::string("h\x05."),
          std::string("X\xff\xff\xff\xff"
                      "abc"),
          std::string("\x8a\x20"), std::string("cno end"), std::string("N]b."), std::string("NQ."),
          concat("ccollections\nOrderedDict\n", pickled_whole(1), "\x85R.")}) {
        CAPTURE(pickle);
        CHECK(refusal_of_pickle(pickle) == damaged);
    }
    // A list that holds itself holds no tensors.
    CHECK(refusal_of_pickle("\x80\x02]q\x01h\x01"
                            "a.") == "The file \"x.bin\" has no tensors with names: save the model's state_dict().");
    std::string itself = "\x80\x02}q\x01(";
    itself += pickled_text("model") + "h\x01u.";
    CHECK(refusal_of_pickle(itself) == "The file \"x.bin\" has no tensors with names: save the model's state_dict().");
}

TEST_CASE("a tensor is found where training programs keep it, and an optimizer's are left alone", "[torch]") {
    const auto inner = [](std::string_view name) {
        const std::string whole = pickled_dictionary({{std::string(name), pickled_tensor("Float", 0, {2}, {1})}});
        return whole.substr(2, whole.size() - 3);
    };
    const auto names = [&](const std::vector<std::pair<std::string, std::string>>& entries) {
        MemorySource file("x.bin", torch_file(pickled_dictionary(entries), std::string(24, '\0')));
        const auto read = attn::read_torch_file(file);
        std::string all = read.error();
        if (read)
            for (const StoredTensor& tensor : read->tensors) all += tensor.name;
        return read ? all + read->settings : all;
    };
    CHECK(names({{"optimizer", inner("m")}, {"model", inner("w")}, {"epoch", pickled_whole(3)}}) == "w");
    CHECK(names({{"state_dict", inner("w")}, {"ema", inner("e")}}) == "w");
    CHECK(names({{"mine", inner("w")}, {"epoch", pickled_whole(3)}}) == "w");
    // Of settings beside them the numbers count; names that could be anything else in JSON do not.
    const auto values = [](const std::vector<std::pair<std::string, std::string>>& entries) {
        const std::string whole = pickled_dictionary(entries);
        return whole.substr(2, whole.size() - 3);
    };
    const std::string sizes = values(
        {{"n_head", pickled_whole(6)}, {"bias", "\x89"}, {"a\"b", pickled_whole(1)}, {"type", pickled_text("x")}});
    CHECK(names({{"model", inner("w")}, {"model_args", sizes}, {"config", values({{"n_head", pickled_whole(7)}})}}) ==
          R"(w{"n_head":6,"bias":false})");
    CHECK(names({{"model", inner("w")}, {"config", values({{"out_dir", pickled_text("x")}})}}) == "w");
    CHECK(names({{"mine", inner("w")}, {"yours", inner("v")}}) ==
          "The file \"x.bin\" has several dictionaries of tensors: save the model's state_dict() alone.");
}

TEST_CASE("damaged archives are refused in a sentence", "[torch][bad-input]") {
    const std::string pickle = pickled_dictionary({{"w", pickled_tensor("Float", 0, {6}, {1})}});
    const std::string right = torch_file(pickle, std::string(24, 'x'));
    CHECK(torch_refusal(right).empty());
    // minizip does without the last two bytes, the length of a remark.
    for (std::size_t size = 0; size + 2 < right.size(); ++size) {
        const std::string refusal = torch_refusal(right.substr(0, size));
        CHECK(refusal.starts_with("The file \"x.bin\" "));
        CHECK(refusal.ends_with('.'));
    }
    CHECK(torch_refusal(stored_zip({{"a/data.pkl", pickle}, {"a/data/0", "x"}, {"a/data/0", "y"}})) ==
          "The file \"x.bin\" has two entries of the name \"a/data/0\".");
    CHECK(torch_refusal(
              stored_zip({{"a/data.pkl", pickle}, {"a/data/0", std::string(24, 'x')}, {"a/byteorder", "big"}})) ==
          "The file \"x.bin\" has its numbers' bytes in the order of other machines (big-endian).");
    MemorySource broken("x.bin", right);
    broken.is_broken = true;
    CHECK(attn::read_torch_file(broken).error() == "The disk is broken.");
}

TEST_CASE("a file of before PyTorch 1.6 has the same tensors", "[torch]") {
    const std::string pickle = pickled_dictionary(
        {{"w", pickled_tensor("Float", 1, {2, 2}, {2, 1})}, {"turned", pickled_tensor("Float", 0, {3, 2}, {1, 3})}});
    const std::string numbers = "the six floats are here.";
    const std::string bytes = old_torch_file(pickle, 6, numbers);
    MemorySource file("x.bin", bytes);
    const auto read = attn::read_torch_file(file);
    INFO(read.error());
    REQUIRE(read);
    REQUIRE(read->tensors.size() == 2);
    const std::uint64_t begin = bytes.find(numbers);
    CHECK(read->tensors[0].name == "turned");
    CHECK((read->tensors[0].begin == begin && read->tensors[0].end == begin + 24));
    CHECK((read->tensors[1].begin == begin + 4 && read->tensors[1].end == begin + 20));
    CHECK(attn::begins_like_torch_file(bytes));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::string refusal = torch_refusal(bytes.substr(0, size));
        CHECK(refusal.starts_with("The file \"x.bin\" "));
        CHECK(refusal.ends_with('.'));
    }
}

TEST_CASE("a file of before PyTorch 1.6 may have a long list of tensors", "[torch]") {
    // The reader takes a part of the file first, which ends in the middle of this text.
    const std::string pickle = pickled_dictionary(
        {{"remark", pickled_text(std::string(3 << 20, 'r'))}, {"w", pickled_tensor("Float", 0, {6}, {1})}});
    MemorySource file("x.bin", old_torch_file(pickle, 6, std::string(24, 'x')));
    const auto read = attn::read_torch_file(file);
    INFO(read.error());
    REQUIRE(read);
    CHECK(read->tensors.size() == 1);
}

TEST_CASE("a damaged file of before PyTorch 1.6 is refused in a sentence", "[torch][bad-input]") {
    const std::string pickle = pickled_dictionary({{"w", pickled_tensor("Float", 0, {6}, {1})}});
    const std::string numbers(24, 'x');
    CHECK(torch_refusal(old_torch_file(pickle, 6, numbers)).empty());
    CHECK(torch_refusal(old_torch_file(pickle, 6, numbers, false)) ==
          "The file \"x.bin\" has its numbers' bytes in the order of other machines (big-endian).");
    for (const std::uint64_t count : {std::uint64_t{7}, UINT64_MAX, UINT64_MAX / 4 + 1, std::uint64_t{1} << 62U})
        CHECK(torch_refusal(old_torch_file(pickle, count, numbers)) ==
              "The file \"x.bin\" is cut: the numbers of its tensors reach beyond its end.");
    CHECK(torch_refusal(old_torch_file(pickle, 5, numbers)) ==
          "The file \"x.bin\" has the tensor \"w\" that reaches beyond its numbers.");
    std::string of_other = old_torch_file(pickle, 6, numbers);
    of_other[of_other.rfind("0e.")] = '1';  // in the list of storages
    CHECK(torch_refusal(of_other) ==
          "The file \"x.bin\" is cut or damaged: the numbers of its tensors are not where they should be.");
    const std::string evil = concat("\x80\x02", "cos\nsystem\n(", pickled_text("ls"), "tR.");
    CHECK(torch_refusal(old_torch_file(evil, 6, numbers)).starts_with("The file \"x.bin\" names \"os.system\", "));
    MemorySource broken("x.bin", old_torch_file(pickle, 6, numbers));
    broken.is_broken = true;
    CHECK(attn::read_torch_file(broken).error() == "The disk is broken.");
}
