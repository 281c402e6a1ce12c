// The same link shows the same numbers on every machine, to the last bit: each stage of each link of golden/links.txt
// has the digest that golden/digests.txt records. The same test runs natively and as WebAssembly against the same file.
// After a wanted change of numbers: playground_test "[.record]" writes the file anew; commit it alone, with the reason.
#include <catch_amalgamated.hpp>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "core/check.h"
#include "core/embeddings.h"
#include "playground/evaluation.h"
#include "playground/state_url.h"

using namespace attn;

namespace {

const std::string kLinksFile = std::string(ATTN_GOLDEN_FOLDER) + "/links.txt";
const std::string kDigestsFile = std::string(ATTN_GOLDEN_FOLDER) + "/digests.txt";

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path);
    REQUIRE(file.good());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

// FNV-1a over the float bits (little-endian, as all our machines are) of one stage: all sentences, all heads.
std::string digest_of(const std::vector<Evaluation>& batch, TensorId stage) {
    std::string bytes;
    for (const Evaluation& evaluation : batch) {
        if (evaluation.is_empty()) continue;
        const int num_heads = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
        for (int h = 0; h < num_heads; ++h) {
            const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, stage, h);
            const std::size_t num_before = bytes.size();
            bytes.resize(num_before + matrix.size() * sizeof(float));
            std::memcpy(bytes.data() + num_before, matrix.data(), matrix.size() * sizeof(float));
        }
    }
    std::ostringstream hex;
    hex << std::hex << std::setw(16) << std::setfill('0') << fnv1a64(bytes);
    return hex.str();
}

// "12 weights 0123456789abcdef" for each stage of each link; links count from 1, as lines of the file do.
std::vector<std::string> computed_digests() {
    std::vector<std::string> digests;
    int number = 0;
    for (const std::string& link : lines_of(kLinksFile)) {
        ++number;
        const Inputs inputs = read_link(link).state.inputs;
        std::vector<Evaluation> batch;
        for (int s = 0; s < static_cast<int>(inputs.texts.size()); ++s) batch.push_back(evaluate(inputs, s));
        for (const TensorId stage : present_stages(inputs)) {
            digests.push_back(concat(number, " ", tensor_name(stage), " ", digest_of(batch, stage)));
        }
    }
    return digests;
}

}  // namespace

TEST_CASE("every stage of every golden link has the recorded bits", "[link][golden][digest]") {
    const std::vector<std::string> recorded = lines_of(kDigestsFile), computed = computed_digests();
    REQUIRE(computed.size() == recorded.size());
    for (std::size_t i = 0; i < computed.size(); ++i) CHECK(computed[i] == recorded[i]);
}

TEST_CASE("record the digests of the golden links", "[.record]") {
    std::ofstream file(kDigestsFile);
    for (const std::string& line : computed_digests()) file << line << '\n';
    REQUIRE(file.good());
}
