// The JSON that exports write, read back by a JSON library.
#include "playground/text/json_writer.h"

#include <catch_amalgamated.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "playground/random_states.h"

using namespace attn;
using namespace attn::test;

TEST_CASE("nested containers come out as written, rows on one line", "[json]") {
    std::string out;
    JsonWriter json(out);
    json.begin_object();
    json.member("name", "a \"b\" \\ \n\t\x1F");
    json.key("rows");
    json.begin_array();
    for (int i = 0; i < 2; ++i) {
        json.begin_row();
        json.integer(i);
        json.boolean(i == 0);
        json.end_row();
    }
    json.end_array();
    json.key("empty");
    json.begin_array();
    json.end_array();
    json.key("nothing");
    json.null();
    json.key("inner");
    json.begin_object();
    json.key("half");
    json.number(0.5);
    json.end_object();
    json.end_object();
    CHECK(out == R"({
  "name": "a \"b\" \\ \n\u0009\u001f",
  "rows": [
    [0, true],
    [1, false]
  ],
  "empty": [],
  "nothing": null,
  "inner": {
    "half": 0.5
  }
})");
    CHECK(nlohmann::json::parse(out)["name"] == "a \"b\" \\ \n\t\x1F");
}

TEST_CASE("numbers survive, and what JSON cannot say is null", "[json][property]") {
    const auto written = [](auto number) {
        std::string out;
        JsonWriter(out).number(number);
        return nlohmann::json::parse(out);
    };
    CHECK(written(std::numeric_limits<float>::infinity()).is_null());
    CHECK(written(-std::numeric_limits<double>::infinity()).is_null());
    CHECK(written(std::numeric_limits<float>::quiet_NaN()).is_null());
    Dice dice(23);
    for (int n = 0; n < 2000; ++n) {
        const float number = dice.any_float();
        if (!std::isfinite(number)) continue;
        CHECK(written(number).get<float>() == number);
        CHECK(written(static_cast<double>(number) / 3).get<double>() == static_cast<double>(number) / 3);
    }
}
