// Builds each row of the table from its factors: once as letters, once as numbers.
#include "views/cost/cost.h"

#include "core/ground/check.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

// A factor of a product, as a letter and as a number. A plain number is its own letter.
struct CostFactor {
    std::string letter;
    std::int64_t value;
};

CostFactor plain(std::int64_t value) {
    return {concat(value), value};
}

CostCell product(const std::vector<CostFactor>& factors) {
    CostCell cell = {.letters = {}, .values = {}, .count = 1};
    for (const CostFactor& factor : factors) {
        const std::string_view dot = cell.letters.empty() ? "" : " · ";
        cell.letters += concat(dot, factor.letter);
        cell.values += concat(dot, factor.value);
        cell.count *= factor.value;
    }
    return cell;
}

// How the layouts differ: in heads, in the width of a head, and in the number and width of the projecting layers.
struct Layout {
    CostFactor num_heads, head_dim, d_in, d_out, num_tokens;
    CostFactor kv_heads, kv_width;  // of keys and values
    bool is_separate;

    // d_out columns: in one layer, or in one small layer a head.
    std::vector<CostFactor> with_columns(std::vector<CostFactor> factors) const {
        if (is_separate) factors.insert(factors.begin(), num_heads);
        factors.push_back(is_separate ? head_dim : d_out);
        return factors;
    }
    // The same for keys and values: kv_width columns, or one small layer a key head.
    std::vector<CostFactor> with_kv_columns(std::vector<CostFactor> factors) const {
        if (is_separate) factors.insert(factors.begin(), kv_heads);
        factors.push_back(is_separate ? head_dim : kv_width);
        return factors;
    }
};

Layout layout_of(CostLayout kind, const Sizes& sizes) {
    const bool is_one = kind == CostLayout::one_head;
    return {.num_heads = {"num_heads", is_one ? 1 : sizes.num_heads},
            .head_dim = {"head_dim", is_one ? sizes.d_out : sizes.head_dim()},
            .d_in = {"d_in", sizes.d_in},
            .d_out = {"d_out", sizes.d_out},
            .num_tokens = {"T", sizes.num_tokens},
            .kv_heads = {"kv_heads", is_one ? 1 : sizes.kv_heads()},
            .kv_width = {"kv_width", is_one ? sizes.d_out : sizes.kv_width()},
            .is_separate = kind == CostLayout::separate};
}

// A row with a cell for each layout.
template <class MakeCell>
void add_row(CostSection& section, std::string name, const Sizes& sizes, const MakeCell& make_cell) {
    CostRow row = {.name = std::move(name), .cells = {}, .is_total = false};
    constexpr std::array kKinds = {CostLayout::shown, CostLayout::one_head, CostLayout::separate};
    for (std::size_t k = 0; k < kKinds.size(); ++k) row.cells[k] = make_cell(layout_of(kKinds[k], sizes));
    section.rows.push_back(std::move(row));
}

// The sum of the rows so far: its letters are their counts.
void add_total(CostSection& section) {
    CostRow total = {.name = "together", .cells = {}, .is_total = true};
    for (std::size_t k = 0; k < total.cells.size(); ++k) {
        CostCell& cell = total.cells[k];
        for (const CostRow& row : section.rows) {
            cell.values += concat(cell.values.empty() ? "" : " + ", with_thousands(row.cells[k].count));
            cell.count += row.cells[k].count;
        }
    }
    section.rows.push_back(std::move(total));
}

// The three projections, `factors` a column: in one row, or queries by themselves where keys and values are shared.
void add_projections(CostSection& section, const Sizes& sizes, const std::string& queries, const std::string& others,
                     const std::vector<CostFactor>& factors) {
    const auto times = [&](int count) {
        std::vector<CostFactor> all = factors;
        if (count > 1) all.insert(all.begin(), plain(count));
        return all;
    };
    if (sizes.num_kv_heads == 0) {
        add_row(section, concat(queries, ", ", others), sizes,
                [&](const Layout& layout) { return product(layout.with_columns(times(3))); });
        return;
    }
    add_row(section, queries, sizes, [&](const Layout& layout) { return product(layout.with_columns(times(1))); });
    add_row(section, others, sizes, [&](const Layout& layout) { return product(layout.with_kv_columns(times(2))); });
}

// Where queries, or keys and values, are made of latents: `factors` a column of what each is made of.
void add_roles(CostSection& section, const Sizes& sizes, const std::string& queries, const std::string& others,
               const std::vector<CostFactor>& factors, const CostFactor& of_queries, const CostFactor& of_keys) {
    if (sizes.latent == 0 && sizes.query_latent == 0) {
        std::vector<CostFactor> all = factors;
        all.push_back(of_queries);
        add_projections(section, sizes, queries, others, all);
        return;
    }
    add_row(section, queries, sizes, [&](const Layout& layout) {
        std::vector<CostFactor> all = factors;
        all.push_back(of_queries);
        return product(layout.with_columns(all));
    });
    add_row(section, others, sizes, [&](const Layout& layout) {
        std::vector<CostFactor> all = {plain(2)};
        all.insert(all.end(), factors.begin(), factors.end());
        all.push_back(of_keys);
        return product(layout.with_kv_columns(all));
    });
}

CostFactor rows_of_query(const Sizes& sizes) {
    return {sizes.query_latent == 0 ? "d_in" : "query_latent", sizes.query_rows()};
}
CostFactor rows_of_key(const Sizes& sizes) {
    return {sizes.latent == 0 ? "d_in" : "latent", sizes.kv_rows()};
}

// What makes the latents, the same in every layout.
void add_latents(CostSection& section, const Sizes& sizes, const std::string& query_latents, const std::string& latents,
                 std::vector<CostFactor> factors) {
    factors.push_back({"d_in", sizes.d_in});
    const auto add = [&](const std::string& name, const CostFactor& width) {
        if (width.value == 0) return;
        std::vector<CostFactor> all = factors;
        all.push_back(width);
        add_row(section, name, sizes, [&](const Layout&) { return product(all); });
    };
    add(query_latents, {"query_latent", sizes.query_latent});
    add(latents, {"latent", sizes.latent});
}

// What makes the numbers that are turned alone: for each head of the queries, and one row for all keys.
void add_own_parts(CostSection& section, const Sizes& sizes, const std::string& queries, const std::string& keys,
                   const std::vector<CostFactor>& factors) {
    if (sizes.rope_dim == 0) return;
    const CostFactor own = {"rope_dim", sizes.rope_dim};
    add_row(section, queries, sizes, [&](const Layout& layout) {
        std::vector<CostFactor> all = factors;
        all.insert(all.end(), {rows_of_query(sizes), layout.num_heads, own});
        return product(all);
    });
    add_row(section, keys, sizes, [&](const Layout&) {
        std::vector<CostFactor> all = factors;
        all.insert(all.end(), {CostFactor{"d_in", sizes.d_in}, own});
        return product(all);
    });
}

// Turning: each number is one product of itself and one of its partner.
void add_turns(CostSection& section, const Sizes& sizes) {
    if (sizes.rope_dim != 0) {
        const CostFactor T = {"T", sizes.num_tokens}, own = {"rope_dim", sizes.rope_dim};
        add_row(section, "turned position queries", sizes,
                [&](const Layout& layout) { return product({plain(2), T, layout.num_heads, own}); });
        add_row(section, "turned position keys", sizes, [&](const Layout&) { return product({plain(2), T, own}); });
        return;
    }
    add_row(section, "rotated queries", sizes,
            [](const Layout& layout) { return product({plain(2), layout.num_tokens, layout.d_out}); });
    add_row(section, "rotated keys", sizes,
            [](const Layout& layout) { return product(layout.with_kv_columns({plain(2), layout.num_tokens})); });
}

// What the scores have beside the products of queries and keys.
void add_turned_scores(CostSection& section, const Sizes& sizes) {
    if (sizes.rope_dim == 0) return;
    add_row(section, "scores, turned part", sizes, [&](const Layout& layout) {
        return product({layout.num_heads, layout.num_tokens, layout.num_tokens, {"rope_dim", sizes.rope_dim}});
    });
}

// Norms of queries and keys: their weights, one set for all heads.
void add_norm_weights(CostSection& section, const Inputs& inputs, const Sizes& sizes) {
    if (!inputs.has_qk_norm()) return;
    add_row(section, "q_norm, k_norm", sizes,
            [](const Layout& layout) { return product({plain(2), layout.head_dim}); });
}

// Each number is squared, and multiplied by 1 / rms and by its weight.
void add_norms(CostSection& section, const Sizes& sizes) {
    add_row(section, "normed queries", sizes,
            [](const Layout& layout) { return product({plain(3), layout.num_tokens, layout.d_out}); });
    add_row(section, "normed keys", sizes,
            [](const Layout& layout) { return product(layout.with_kv_columns({plain(3), layout.num_tokens})); });
}

void add_sinks(CostSection& section, const Inputs& inputs, const Sizes& sizes) {
    if (!inputs.has_sink()) return;
    add_row(section, "sink_logits", sizes, [](const Layout& layout) { return product({layout.num_heads}); });
}

CostSection learned_numbers(const Inputs& inputs, const Sizes& sizes) {
    CostSection section = {.title = "Learned numbers", .remark = {}, .rows = {}};
    if (inputs.init == Init::none && (inputs.has_sink() || inputs.has_qk_norm())) {
        section.remark = "No matrices: queries, keys and values are X itself.";
        add_norm_weights(section, inputs, sizes);
        add_sinks(section, inputs, sizes);
        return section;
    }
    if (inputs.init == Init::none) {
        section.remark = "None: queries, keys and values are X itself.";
        return section;
    }
    section.remark = "They do not depend on the number of tokens.";
    add_latents(section, sizes, "w_down_query", "w_down_kv", {});
    add_roles(section, sizes, "w_query", "w_key, w_value", {}, rows_of_query(sizes), rows_of_key(sizes));
    if (inputs.bias) add_projections(section, sizes, "b_query", "b_key, b_value", {});
    if (inputs.out) {
        add_row(section, "w_out", sizes, [](const Layout& layout) { return product({layout.d_out, layout.d_out}); });
        add_row(section, "b_out", sizes, [](const Layout& layout) { return product({layout.d_out}); });
    }
    add_own_parts(section, sizes, "w_query_rope", "w_key_rope", {});
    add_norm_weights(section, inputs, sizes);
    add_sinks(section, inputs, sizes);
    add_total(section);
    return section;
}

CostSection kept_numbers(const Sizes& sizes) {
    CostSection section = {
        .title = "Numbers in memory, one sentence",
        .remark = "4 bytes each (float32). The weights grow with the square of T and with each head.",
        .rows = {}};
    add_row(section, "weights", sizes,
            [](const Layout& layout) { return product({layout.num_heads, layout.num_tokens, layout.num_tokens}); });
    add_row(section, "keys and values", sizes,
            [](const Layout& layout) { return product(layout.with_kv_columns({plain(2), layout.num_tokens})); });
    if (sizes.latent != 0) {
        add_row(section, "latents, which a cache keeps instead", sizes,
                [&](const Layout& layout) { return product({layout.num_tokens, {"latent", sizes.latent}}); });
    }
    if (sizes.rope_dim != 0) {
        add_row(section, "turned position keys, which it keeps, too", sizes,
                [&](const Layout& layout) { return product({layout.num_tokens, {"rope_dim", sizes.rope_dim}}); });
    }
    return section;
}

CostSection multiply_adds(const Inputs& inputs, const Sizes& sizes) {
    CostSection section = {.title = "Multiply-adds, one sentence",
                           .remark = "All T · T pairs are counted, hidden ones too: a matrix product computes them.",
                           .rows = {}};
    if (inputs.init != Init::none) {
        const CostFactor T = {"T", sizes.num_tokens};
        add_latents(section, sizes, "query latents", "latents", {T});
        add_roles(section, sizes, "queries", "keys, values", {T}, rows_of_query(sizes), rows_of_key(sizes));
        add_own_parts(section, sizes, "position queries", "position keys", {T});
    }
    if (inputs.has_qk_norm()) add_norms(section, sizes);
    if (inputs.positions == Positions::rope) add_turns(section, sizes);
    const auto add_once_a_pair = [&](const char* name) {
        add_row(section, name, sizes,
                [](const Layout& layout) { return product({layout.num_heads, layout.num_tokens, layout.num_tokens}); });
    };
    if (inputs.score_cap > 0) add_once_a_pair("capped scores");
    if (inputs.positions == Positions::alibi) add_once_a_pair("biased scores");
    for (const char* name : {"scores", "context"}) {
        add_row(section, name, sizes, [](const Layout& layout) {
            return product({layout.num_heads, layout.num_tokens, layout.num_tokens, layout.head_dim});
        });
    }
    add_turned_scores(section, sizes);
    if (inputs.out) {
        add_row(section, "output", sizes,
                [](const Layout& layout) { return product({layout.num_tokens, layout.d_out, layout.d_out}); });
    }
    add_total(section);
    return section;
}

// The same results with no key and no value made: of w_key times the queries, and of w_value times mixed latents.
CostSection absorbed_multiply_adds(const Inputs& inputs, const Sizes& sizes) {
    CostSection section = {.title = "The same in the absorbed order",
                           .remark = "No keys and values are made: cheaper a step where a cache is long.",
                           .rows = {}};
    const CostFactor T = {"T", sizes.num_tokens};
    const CostFactor latent = {"latent", sizes.latent};
    add_latents(section, sizes, "query latents", "latents", {T});
    add_row(section, "queries", sizes,
            [&](const Layout& layout) { return product(layout.with_columns({T, rows_of_query(sizes)})); });
    const auto add = [&](const char* name, const auto& factors) {
        add_row(section, name, sizes, [&](const Layout& layout) { return product(factors(layout)); });
    };
    using Factors = std::vector<CostFactor>;
    const auto of_head = [&](const Layout& l) { return Factors{l.num_heads, T, latent, l.head_dim}; };
    const auto of_pairs = [&](const Layout& l) { return Factors{l.num_heads, T, T, latent}; };
    add_own_parts(section, sizes, "position queries", "position keys", {T});
    if (sizes.rope_dim != 0) add_turns(section, sizes);
    add("absorbed queries", of_head);
    add("scores", of_pairs);
    add_turned_scores(section, sizes);
    add("mixed latents", of_pairs);
    add("context", of_head);
    if (inputs.out) add("output", [&](const Layout& l) { return Factors{T, l.d_out, l.d_out}; });
    add_total(section);
    return section;
}

const CostRow* find_row(const std::vector<CostSection>& sections, std::string_view name) {
    for (const CostSection& section : sections) {
        for (const CostRow& row : section.rows) {
            if (row.name == name) return &row;
        }
    }
    return nullptr;
}

}  // namespace

bool CostCell::is_single() const {
    return values == concat(count) || values == with_thousands(count);
}

std::string CostCell::formula() const {
    const std::string left = letters.empty() || letters == values ? "" : concat(letters, " = ");
    const std::string number = with_thousands(count);
    return is_single() ? concat(left, number) : concat(left, values, " = ", number);
}

std::vector<CostSection> cost_of(const Inputs& inputs, const Sizes& sizes) {
    ATTN_CHECK(sizes.num_tokens >= 1, "a sentence without tokens costs nothing");
    std::vector<CostSection> sections = {learned_numbers(inputs, sizes), kept_numbers(sizes),
                                         multiply_adds(inputs, sizes)};
    if (is_present(inputs, TensorId::absorbed_queries)) sections.push_back(absorbed_multiply_adds(inputs, sizes));
    return sections;
}

std::string cost_in_words(const std::vector<CostSection>& sections, const Sizes& sizes) {
    const CostRow* weights = find_row(sections, "weights");
    const CostRow* learned = find_row(sections, "w_query, w_key, w_value");
    ATTN_CHECK(weights != nullptr, "there is no row of the weights");
    std::string words;
    if (sizes.num_heads == 1) {
        words = "One head: all three columns are the same. ";
    } else if (learned != nullptr && find_row(sections, "sink_logits") != nullptr) {
        words = concat("More heads need no larger matrices: ", with_thousands(learned->cells[0].count), " = ",
                       with_thousands(learned->cells[1].count), "; each has a sink's logit more. ");
    } else if (learned != nullptr && find_row(sections, "q_norm, k_norm") != nullptr) {
        words = concat("More heads need no larger matrices: ", with_thousands(learned->cells[0].count), " = ",
                       with_thousands(learned->cells[1].count), ". ");
    } else if (learned != nullptr) {
        words = concat("More heads need no more learned numbers: ", with_thousands(learned->cells[0].count), " = ",
                       with_thousands(learned->cells[1].count), ". ");
    }
    if (const CostRow* kept = find_row(sections, "keys and values"); kept != nullptr && sizes.num_kv_heads != 0) {
        words = concat("Keys and values of ", counted(sizes.num_kv_heads, "head"), " serve ", sizes.num_heads, ": ",
                       with_thousands(kept->cells[0].count), " numbers instead of ",
                       with_thousands(kept->cells[1].count), ". ");
    }
    const CostRow* latents = find_row(sections, "latents, which a cache keeps instead");
    if (const CostRow* kept = find_row(sections, "keys and values"); latents != nullptr && kept != nullptr) {
        const CostRow* turned = find_row(sections, "turned position keys, which it keeps, too");
        const std::string more =
            turned == nullptr ? "" : concat(" and ", with_thousands(turned->cells[0].count), " of position keys");
        words = concat("A cache keeps ", with_thousands(latents->cells[0].count), " numbers of latents", more,
                       " instead of ", with_thousands(kept->cells[0].count), " of keys and values. ");
    }
    const std::int64_t shown = weights->cells[0].count;
    const std::int64_t single = weights->cells[1].count;
    words += sizes.num_heads == 1
                 ? concat("Its weights are ", counted(shown, "number"), ", ", bytes_in_words(shown * 4), ".")
                 : concat("But each head has weights of its own: ", with_thousands(shown), " numbers (",
                          bytes_in_words(shown * 4), ") instead of ", with_thousands(single), " (",
                          bytes_in_words(single * 4), ").");
    return words;
}

std::vector<TextTable> tables_of_cost(const PlaygroundState& state, const Evaluator& evaluator) {
    const Inputs& inputs = state.inputs;
    const Sizes& sizes = evaluator.shown().sizes;
    std::vector<TextTable> tables;
    const std::vector<CostSection> sections = cost_of(inputs, sizes);
    for (const CostSection& section : sections) {
        TextTable table = {.title = concat(section.title, ": ", section.remark), .columns = {""}, .rows = {}};
        for (const std::string_view layout : kCostLayouts) table.columns.emplace_back(layout);
        for (const CostRow& row : section.rows) {
            std::vector<std::string> cells = {row.name};
            for (const CostCell& cell : row.cells) cells.push_back(cell.formula());
            table.rows.push_back(std::move(cells));
        }
        tables.push_back(std::move(table));
    }
    tables.push_back({.title = cost_in_words(sections, sizes), .columns = {}, .rows = {}});
    return tables;
}

}  // namespace attn
