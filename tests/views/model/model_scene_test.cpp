// The picture of view=model: places, words, and the text beside it.
#include "views/model/model_scene.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <set>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "small_model.h"
#include "views/model/model_table.h"
#include "views/model/model_text.h"

namespace attn::test {
namespace {

// A model, a text, and what is drawn of them.
struct Drawn {
    explicit Drawn(const Checkpoint& checkpoint = random_gpt2(), std::vector<HeadOff> off = {})
        : model(small_model(checkpoint)),
          tokenizer(small_words()),
          work(std::make_shared<ModelRun>(model, ModelInput{.ids = kTheArtist, .off = off}),
               words_of(tokenizer, kTheArtist), 7, {1, 0}) {
        while (!work.advance(1'000'000)) continue;
    }
    ModelDrawing drawing(LayerMap map = LayerMap::head) const {
        ModelDrawing drawing = {.picture = work.picture(), .tokenizer = &tokenizer, .layer = 1, .head = 0, .map = map};
        drawing.votes_problem = work.votes_problem();
        if (!work.picture().has_next()) return drawing;
        drawing.word = work.picture().most_probable(1)[0];
        if (drawing.votes_problem.empty())
            drawing.votes = vote_column(work.votes(*drawing.word), work.picture().input.off, 1);
        return drawing;
    }

    Model model;
    ModelTokenizer tokenizer;
    ModelPictureWork work;
};

std::set<std::string> names_of(const FigureBlock& block) {
    std::set<std::string> names;
    for (const ScenePlace& place : block.places) names.insert(place.name);
    return names;
}

std::vector<std::string> texts_of(const FigureBlock& block) {
    std::vector<std::string> texts;
    for (const FigureElement& element : elements_of(block)) {
        if (const auto* text = std::get_if<FigureText>(&element)) texts.push_back(text->text);
    }
    return texts;
}

bool has_text(const FigureBlock& block, std::string_view wanted) {
    const std::vector<std::string> texts = texts_of(block);
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(wanted) != std::string::npos; });
}

const SceneStyle kStyle = {.colors = figure_colors(false)};

}  // namespace

TEST_CASE("each head has a card that can be pressed, and so have mean and rollout", "[model-view]") {
    const Drawn drawn(random_gpt2(), {{0, 2}});
    for (const double width : {300.0, 380.0, 900.0}) {
        const FigureBlock heads = model_heads_scene(kStyle, drawn.drawing(), width);
        CHECK(names_of(heads) == std::set<std::string>{"layer=1&head=1", "layer=1&head=2", "layer=1&head=3",
                                                       "layer=1&map=mean", "layer=1&map=rollout", "layer=2&head=1",
                                                       "layer=2&head=2", "layer=2&head=3", "layer=2&map=mean",
                                                       "layer=2&map=rollout"});
        for (const ScenePlace& place : heads.places) {
            CHECK(place.box.right <= width + 0.5);
            CHECK(place.box.bottom <= heads.height + 0.5);
            CHECK(place.box.right - place.box.left >= 44);  // a finger hits it
            CHECK(place.box.bottom - place.box.top >= 44);
        }
        CHECK(has_text(heads, "2 · 1"));
        CHECK(has_text(heads, "off"));  // narrow cards have no room for what a head does
    }
}

TEST_CASE("a layer is one line of cards where it fits, and two equal ones on a phone", "[model-view]") {
    const Drawn drawn;
    const auto tops_of = [&](double width) {
        std::vector<double> tops;
        std::vector<int> cards;
        for (const ScenePlace& place : model_heads_scene(kStyle, drawn.drawing(), width).places) {
            if (tops.empty() || tops.back() != place.box.top) {
                tops.push_back(place.box.top);
                cards.push_back(0);
            }
            ++cards.back();
        }
        return cards;
    };
    CHECK(tops_of(900) == std::vector<int>{5, 5});  // three heads, their mean, the rollout
    CHECK(tops_of(300) == std::vector<int>{5, 5});
    CHECK(tops_of(200) == std::vector<int>{3, 2, 3, 2});
}

TEST_CASE("of many heads each layer is a line of small cards, with its number before them", "[model-view]") {
    ModelPicture picture;
    picture.config.num_layers = 12;
    picture.config.num_heads = 12;
    Matrix weights = Matrix::from_shape({2, 2});
    weights.fill(0.5F);
    HeadPicture head = {.weights = weights};
    LayerPicture layer = {.heads = std::vector<HeadPicture>(12, head), .mean = weights, .rollout = weights};
    picture.layers.assign(12, layer);
    picture.words = {"a", "b"};
    CHECK(has_many_heads(picture.config));
    const FigureBlock heads = model_heads_scene(kStyle, {.picture = picture}, 541);
    CHECK(heads.places.size() == 12 * 14);
    CHECK(heads.height < 460);  // in sight on a laptop
    CHECK(has_text(heads, "12"));
    CHECK_FALSE(has_text(heads, " · "));
    picture.config.num_layers = 2;
    picture.config.num_heads = 8;
    CHECK_FALSE(has_many_heads(picture.config));
}

TEST_CASE("the votes stand under each other, and their sum below", "[model-view]") {
    const Drawn drawn;
    const ModelDrawing drawing = drawn.drawing();
    const FigureBlock votes = model_votes_scene(kStyle, drawing, 420);
    REQUIRE(drawing.votes);
    for (const VoteLine& line : drawing.votes->lines) {
        CHECK(has_text(votes, line.label));
        CHECK(has_text(votes, shown_thousandths(line.thousandths, true)));
    }
    CHECK(has_text(votes, "logit of “"));
    CHECK(has_text(votes, softmax_in_words(drawing.picture)));
    CHECK(votes.places.size() == 6);
    CHECK(names_of(votes).contains("vote=2.3"));
    const Drawn bert(random_bert());
    CHECK(has_text(model_votes_scene(kStyle, bert.drawing(), 420), "norms come after"));
    const Drawn headless(random_bert(false));
    CHECK(has_text(model_votes_scene(kStyle, headless.drawing(), 420), "This model has no logits"));
}

TEST_CASE("a reader who puts the logit into the line below it gets the probability", "[model-view]") {
    const Drawn drawn;
    const ModelPicture& picture = drawn.work.picture();
    const std::string line = softmax_in_words(picture);
    CHECK(line == concat("probability: e^(logit − ", after_minus(picture.softmax.most), ") / ",
                         shown_number(picture.softmax.sum)));
    const auto word = static_cast<std::size_t>(picture.most_probable(2).back());
    const double logit = static_cast<double>(picture.logits[word]);
    const double most = static_cast<double>(*std::ranges::max_element(picture.logits));
    double sum = 0;
    for (const float one : picture.logits) sum += std::exp(static_cast<double>(one) - most);
    CHECK(picture.softmax.most == most);
    CHECK(picture.softmax.sum == Catch::Approx(sum).epsilon(1e-13));
    CHECK(static_cast<double>(picture.probabilities[word]) ==
          Catch::Approx(std::exp(logit - most) / sum).epsilon(1e-7));
}

TEST_CASE("next words are bars that can be chosen, with what they were before heads went off", "[model-view]") {
    const Drawn drawn;
    const FigureBlock next = model_next_scene(kStyle, drawn.drawing(), 380);
    CHECK(next.places.size() == kShownNextWords);
    ModelDrawing rare = drawn.drawing();
    rare.word = drawn.work.picture().most_probable(17).back();
    CHECK(model_next_scene(kStyle, rare, 380).places.size() == kShownNextWords + 1);
    const Drawn off(random_gpt2(), {{0, 0}});
    CHECK(has_text(model_next_scene(kStyle, off.drawing(), 380), " → "));
    for (const std::string& text : texts_of(model_next_scene(kStyle, off.drawing(), 380)))
        CHECK(text.find("e−") == std::string::npos);  // a small probability is "<0.0001"
    CHECK(model_next_scene(kStyle, Drawn(random_bert(false)).drawing(), 380).places.empty());
}

TEST_CASE("so is a small difference of A and B", "[model-view][compare]") {
    const Drawn drawn;
    ModelPicture other = drawn.work.picture();
    for (float& probability : other.probabilities) probability -= 2e-5F;
    ModelDrawing drawing = drawn.drawing();
    drawing.other = OtherPicture{
        .words = "B", .picture = &other, .tokenizer = &drawn.tokenizer, .has_same_words = true, .votes = {}};
    const FigureBlock less = model_next_scene(kStyle, drawing, 420);
    CHECK(has_text(less, "in A less than 0.0001 higher"));
    for (float& probability : other.probabilities) probability += 4e-5F;
    const FigureBlock more = model_next_scene(kStyle, drawing, 420);
    CHECK(has_text(more, "in A less than 0.0001 lower"));
    CHECK_FALSE(has_text(less, "e−"));
    CHECK_FALSE(has_text(more, "e−"));
}

TEST_CASE("a small score is said to be small, not written with a power of ten", "[model-view]") {
    CHECK(shown_score(0.386) == "0.39");
    CHECK(shown_score(0.01) == "0.01");
    CHECK(shown_score(0.00913) == "<0.01");
    CHECK(shown_score(0) == shown_number(0.0, 2));
}

TEST_CASE("every map has its title, its words, and numbers where they fit", "[model-view]") {
    const Drawn drawn;
    CHECK(map_title(drawn.drawing()) == "Layer 2 · Head 1");
    CHECK(map_title(drawn.drawing(LayerMap::mean)) == "Layer 2 · mean of the heads");
    CHECK(map_title(drawn.drawing(LayerMap::rollout)) == "Layers 1 to 2 · rollout");
    for (const LayerMap map : {LayerMap::head, LayerMap::mean, LayerMap::rollout}) {
        const FigureBlock block = model_map_scene(kStyle, drawn.drawing(map), 420);
        CHECK(has_text(block, "portrait"));
        CHECK(has_text(block, "1"));  // the first row sees itself alone
        CHECK(block.width <= 420);
    }
    CHECK(has_text(model_head_scene(kStyle, drawn.drawing(), 420), "Head 1 of layer 2 switched off"));
    const Drawn off(random_gpt2(), {{1, 0}});
    CHECK(has_text(model_head_scene(kStyle, off.drawing(), 420), "Head 1 of layer 2 on again"));
    CHECK(has_text(model_stream_scene(kStyle, drawn.drawing(), 420), "length by layer"));
}

TEST_CASE("the text version has every number of the picture", "[model-view]") {
    const Drawn drawn(random_gpt2(), {{0, 1}});
    const std::vector<TextTable> tables = tables_of_picture(drawn.drawing());
    REQUIRE(tables.size() == 7);
    CHECK(tables[0].title.starts_with("GPT-2, 2 layers, 3 heads each"));
    CHECK(tables[1].title == "The next word after “woman”");
    CHECK(tables[1].columns.size() == 4);  // now, with all heads, with the chosen one off
    CHECK(tables[2].rows[tables[2].rows.size() - 2][0].starts_with("logit of “"));
    CHECK(tables[2].rows.back()[0] == softmax_in_words(drawn.work.picture()));
    CHECK(tables[2].rows.back()[1] ==
          shown_number(static_cast<double>(
              drawn.work.picture().probabilities[static_cast<std::size_t>(*drawn.drawing().word)])));
    CHECK(tables[3].rows.size() == 6);
    CHECK(tables[3].rows[1][4] == "off");
    CHECK(tables[4].title == "Scores of head 1 of layer 2");
    CHECK(tables[5].rows[0][2] == "masked");
    CHECK(tables[6].columns.back() == "after layer 2");
    const std::string said = picture_in_words(drawn.drawing());
    CHECK(said.starts_with("After “woman”: “"));  // a word that is "." is heard as one
    CHECK(probability_in_words(1.7e-5) == "below 0.0001");
    CHECK(said.find("Layer 2 · Head 1: ") != std::string::npos);
    CHECK(said.ends_with("1 head is off."));
}

TEST_CASE("the file of a model's numbers adds up as printed, and has each head and each next word", "[model-view]") {
    const Drawn drawn(random_gpt2(), {{0, 1}});
    const ModelDrawing drawing = drawn.drawing();
    const std::string csv = model_csv(drawn.work, drawing);
    std::vector<std::vector<std::string>> lines;
    for (std::size_t at = 0; at < csv.size();) {
        const std::size_t end = csv.find('\n', at);
        REQUIRE(end != std::string::npos);
        std::vector<std::string>& fields = lines.emplace_back();
        for (std::size_t from = at; from <= end; from = std::min(csv.find(',', from), end) + 1)
            fields.push_back(csv.substr(from, std::min(csv.find(',', from), end) - from));
        at = end + 1;
    }
    REQUIRE(lines.front() == std::vector<std::string>{"table", "layer", "head", "word", "what", "number"});
    const ModelPicture& picture = drawn.work.picture();
    const std::string word = word_of_token(&drawn.tokenizer, *drawing.word);
    std::int64_t sum = 0, logit = 0;
    std::size_t num_votes = 0, num_scores = 0;
    std::vector<float> probabilities;
    std::set<std::string> heads, off;
    for (const std::vector<std::string>& fields : lines) {
        REQUIRE(fields.size() == 6);
        const std::string& table = fields[0];
        if (table == "next" && fields[4] == "probability")
            probabilities.push_back(static_cast<float>(*parse_number(fields[5])));
        if (table == "score") ++num_scores;
        if (table == "score") heads.insert(fields[1] + ":" + fields[2]);
        if (table != "vote" && table != "logit") continue;
        CHECK(fields[3] == word);
        const std::int64_t thousandths = std::llround(*parse_number(fields[5]) * 1000);
        (table == "vote" ? sum : logit) += thousandths;
        if (table == "vote" && fields[4] != "rounding") ++num_votes;
        if (fields[4] == "head off") off.insert(fields[1] + ":" + fields[2]);
    }
    CHECK(sum == logit);
    CHECK(logit == drawing.votes->logit);
    CHECK(num_votes == drawn.work.votes(*drawing.word).votes.size());
    CHECK(off == std::set<std::string>{"1:2"});
    CHECK(heads.size() == 6);  // of two layers
    std::size_t all_scores = 0;
    for (const LayerPicture& layer : picture.layers)
        for (const HeadPicture& head : layer.heads) all_scores += head.scores.size();
    CHECK(num_scores == all_scores);
    std::vector<float> wanted;
    for (const int id : picture.most_probable(kMostTableWords))
        wanted.push_back(picture.probabilities[static_cast<std::size_t>(id)]);
    CHECK(probabilities == wanted);  // they read back as the same floats
    CHECK(wanted.size() == 17);
}

TEST_CASE("the file of a model with many heads has a line for each of them", "[model-view]") {
    Votes votes;
    for (int l = 0; l < 4; ++l)
        for (int h = 0; h < 8; ++h) votes.votes.push_back({Vote::From::head, l, h, 0.25});
    votes.sum = votes.logit = 8;
    CHECK(vote_column(votes, {}, 3)->lines.size() == 11);
    CHECK(vote_column(votes, {}, 3, votes.votes.size())->lines.size() == 32);
}

}  // namespace attn::test
