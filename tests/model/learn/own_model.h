// The files of the models that this project trains.
#pragma once

#include <catch_amalgamated.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "model/learn/recipe.h"
#include "project_folder.h"

namespace attn::test {

inline std::string own_model_file(const std::string& name, const std::string& model = "first-words") {
    const std::string path = std::string(kProjectFolder) + "/models/" + model + "/" + name;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    INFO(path);
    REQUIRE(bytes.str().size() > 0);
    return bytes.str();
}

inline Recipe own_recipe() {
    Result<Recipe> recipe = read_recipe(own_model_file("recipe.json"));
    INFO(recipe.error());
    REQUIRE(recipe);
    return std::move(*recipe);
}

}  // namespace attn::test
