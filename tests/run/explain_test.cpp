// test: draft texts, proof kernels 0, counted
// What explain says about memory and traffic is what calls do.
#include "../golden/models.hpp"
#include "expect_error.hpp"
#include "support/families.hpp"

#include <stg/call/explain.hpp>   // explain, peak_bytes
#include <stg/ir/print.hpp>       // to_dot
#include <stg/runtime/arena.hpp>  // arena

#include <gmock/gmock.h>  // HasSubstr

#include <cstdint>  // int32_t
#include <sstream>  // istringstream
#include <string>   // string, to_string
#include <vector>   // vector

namespace stg {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t vertices = 700, features = 33, classes = 5;

graph some_graph(std::int64_t edges) { return test::power_law(vertices, edges, 3); }
sizes sizes_of(const graph& g) { return {g.vertices(), g.edges(), {sized<"F">(features), sized<"C">(classes)}}; }

struct data {
  tensor<float> x{dimensions{vertices, features}};
  tensor<std::int32_t> label{dimensions{vertices}};
  tensor<bool> train = tensor<bool>::full({vertices}, true);
};

template <const auto& Loss> std::int64_t bytes_of_step(const graph& g) {
  const data d;
  auto params = parameters<Loss>(sized<"F">(features), sized<"C">(classes));
  initialize(params, 1);
  auto step = value_and_grad<Loss>();
  step(g, golden::x = d.x, golden::label = d.label, golden::train = d.train, params);
  return step.bytes();
}
template <const auto& Layer> std::int64_t bytes_of_tape(const graph& g) {
  const data d;
  auto params = parameters<Layer>(sized<"F">(features));
  initialize(params, 1);
  auto layer = compile_for_training<Layer>();
  return layer.record(g, golden::x = d.x, params).bytes();
}
/// What a first call of a program allocates, results apart.
template <const auto& Loss> std::int64_t bytes_of_inference(const graph& g) {
  const data d;
  auto params = parameters<Loss>(sized<"F">(features), sized<"C">(classes));
  auto model = compile<Loss>();
  const std::uint64_t before = arena::total_allocated();
  model(g, golden::x = d.x, golden::label = d.label, golden::train = d.train, params);
  return static_cast<std::int64_t>(arena::total_allocated() - before);
}

TEST(peak_bytes, are_those_of_a_call) {
  for (const std::int64_t edges : {0, 900, 9000}) {
    const graph g = some_graph(edges);
    for (const int n : {1, 3}) {
      set_threads(n);
      EXPECT_EQ(peak_bytes<golden::gcn>(sizes_of(g)).training, bytes_of_step<golden::gcn>(g));
      EXPECT_EQ(peak_bytes<golden::gcn_layer>(sizes_of(g)).training, bytes_of_tape<golden::gcn_layer>(g));
#if defined(STG_PROOF)  // networks_test looks at attention of fixed widths
      EXPECT_EQ(peak_bytes<golden::gat>(sizes_of(g)).training, bytes_of_step<golden::gat>(g));
      EXPECT_EQ(peak_bytes<golden::gat_layer>(sizes_of(g)).training, bytes_of_tape<golden::gat_layer>(g));
#endif
      const std::int64_t inference = peak_bytes<golden::gcn>(sizes_of(g)).inference;
      ASSERT_LT(inference, 2 << 20) << "larger arenas are rounded up to huge pages";
      EXPECT_EQ((inference + 63) / 64 * 64, bytes_of_inference<golden::gcn>(g));
    }
  }
}

TEST(peak_bytes, do_not_depend_on_the_number_of_edges) {
  set_threads(4);
  sizes few = sizes_of(some_graph(1000)), many = few;
  many.edges *= 10;
  EXPECT_EQ(peak_bytes<golden::gcn>(few).training, peak_bytes<golden::gcn>(many).training);
  EXPECT_EQ(peak_bytes<golden::gat>(few).training, peak_bytes<golden::gat>(many).training);
  EXPECT_EQ(bytes_of_step<golden::gcn>(some_graph(1000)), bytes_of_step<golden::gcn>(some_graph(10000)));
#if defined(STG_PROOF)
  EXPECT_EQ(bytes_of_step<golden::gat>(some_graph(1000)), bytes_of_step<golden::gat>(some_graph(10000)));
#endif
}

TEST(peak_bytes, ask_for_a_missing_extent) {
  test::expect_error([] { peak_bytes<golden::gcn>({10, 20, {sized<"F">(3)}}); }, {"extent 'C'", "sized<\"C\">(n)"});
}

TEST(explain, gives_the_numbers_of_given_sizes) {
  set_threads(2);
  const sizes n{100, 1000, {sized<"F">(3), sized<"C">(2)}};
  const std::string text = explain<golden::gat>(n, in_full);
  const peak_memory peak = peak_bytes<golden::gat>(n);
  EXPECT_THAT(text, HasSubstr("peak: " + std::to_string(peak.inference) + " bytes"));
  EXPECT_THAT(text, HasSubstr("peak: " + std::to_string(peak.training) + " bytes"));
  EXPECT_THAT(text, HasSubstr("of workspace for 2 threads"));
  EXPECT_THAT(text, HasSubstr("4*F*|V| + 256*F + 256*|V| = " + std::to_string(4 * 3 * 100 + 256 * 3 + 256 * 100)));
}

constexpr auto h = vertex_feature<"h", 4>;
constexpr auto w = trainable(edge_feature<"w">);
constexpr auto weighted = [](auto v) { return sum(v.in_edges().src(h) * v.in_edges()(w)); };
constexpr auto scaled = [](auto v) { return outputs(v.in_edges().src(h) * 2.0, v(h)); };
constexpr auto fixed_weights = [](auto v) { return sum(v.in_edges().src(h) * v.in_edges()(edge_feature<"u">)); };
constexpr auto from_out_edges = [](auto v) { return sum(v.out_edges().dst(h) * v.out_edges()(edge_feature<"u">)); };
constexpr auto from_wide_out_edges = [](auto v) {
  return sum(v.out_edges()(edge_feature<"wide", 4>) * v.out_edges()(edge_feature<"u">));
};

// By hand: 16 bytes of h, 4 of the weight and 4 of the neighbour per edge; 8 of an offset and 16 of the sum per vertex.
TEST(explain, counts_bytes_and_operations) {
  const std::string text = explain<fixed_weights>(in_full);
  EXPECT_THAT(text, HasSubstr("bytes 24*|E| + 24*|V|\n"));
  EXPECT_THAT(text, HasSubstr("operations 8*|E|\n"));
  EXPECT_THAT(explain<from_out_edges>(in_full), HasSubstr("bytes 32*|E| + 24*|V|\n")) << "the edge's id takes 8 more";
}

constexpr auto A = parameter<"A", 4, 8>;
constexpr auto B = parameter<"B", 8, 4>;
constexpr auto perceptron = [](auto v) { return relu(matmul(relu(matmul(v(h), A)), B)); };

// By hand: h and the result are 16 bytes a vertex, the parameters 128 bytes each; nothing else is in memory.
TEST(explain, says_which_units_run_block_by_block) {
  const std::string text = explain<perceptron>(in_full);
  EXPECT_THAT(text, HasSubstr("unit 0: dense product, block by block with units 1 to 3\n"));
  EXPECT_THAT(text, HasSubstr("kept for the block, for unit 1\n"));
  EXPECT_THAT(text, HasSubstr("kept for the block, for the dense product of unit 2\n"));
  EXPECT_THAT(text, HasSubstr("unit 3: sweep over vertices, no edges, in the blocks of unit 0\n"));
  EXPECT_THAT(text, HasSubstr("  in total\n    bytes 32*|V| + 256\n"));
}

TEST(explain, names_what_has_a_row_per_edge_and_why) {
  EXPECT_THAT(explain<golden::gat>(in_full), Not(HasSubstr("has |E| rows: it is stored")));
  EXPECT_THAT(
      explain<weighted>(in_full),
      HasSubstr("has |E| rows: it is stored for the caller, as the gradient of w\n    the peak depends on |E|"));
  EXPECT_THAT(explain<scaled>(in_full), HasSubstr("has |E| rows: it is stored for the caller"));
}

TEST(explain, is_silent_about_training_where_nothing_is_trainable) {
  EXPECT_THAT(explain<fixed_weights>(in_full), Not(HasSubstr("training")));
  EXPECT_EQ(peak_bytes<fixed_weights>({10, 20}).training, 0);
  EXPECT_THAT((explain<fixed_weights, h>(in_full)), HasSubstr("as the gradient of h")) << "asked for by name";
}

// ---- the summary ----

/// Texts of the lines that begin with a label.
std::vector<std::string> lines_of(const std::string& text, const std::string& label) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(label)) found.push_back(line);
  return found;
}

constexpr auto promised = [](auto v) {
  auto y = stored(tanh(v(h))) * 2.0;
  return sum(v.in_edges().src(inlined(exp(y)))) + y;
};
TEST(explain, says_what_is_stored_beside_another_rule_and_which_promises_are_kept) {
  const std::string text = explain<promised>({.vertices = 10, .edges = 40}, in_full);
  for (const char* part :
       {"as planned", "by MPMS, pytato's rule", "operations ", "promised: stored", "promised: inlined"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(lines_of(text, "    promised: stored").size(), 1U) << text;
  for (const std::string& line : lines_of(text, "    promised: ")) EXPECT_TRUE(line.ends_with("kept")) << line;
}

TEST(summary, comes_first_in_full_with_no_line_cut) {
  const std::string text = explain<golden::gat>(), whole = explain<golden::gat>(in_full);
  EXPECT_EQ(text.find("inference: "), 0U);
  EXPECT_EQ(whole.find("inference: "), 0U);
  EXPECT_THAT(explain<golden::gat>({2708, 13264, {sized<"F">(1433), sized<"C">(7)}}),
              HasSubstr("21 arrays: 12*C*|V| + ... = 19714244 bytes (20 MB); 6 values computed again"));
  const std::string first = whole.substr(0, whole.find("\nA unit is"));
  EXPECT_THAT(first, Not(HasSubstr("...")));
  for (const char* label : {"inference", "  bytes moved", "  operations", "  gradients of", "training"}) {
    const std::vector<std::string> cut = lines_of(text, label), uncut = lines_of(first, label);
    ASSERT_EQ(cut.size(), uncut.size()) << label;
    for (std::size_t i = 0; i < cut.size(); ++i)
      EXPECT_TRUE(uncut[i].starts_with(cut[i].substr(0, cut[i].find(" ...")))) << cut[i];
  }
}

TEST(summary, says_what_the_whole_text_says) {
  set_threads(2);
  const sizes n{100, 1000, {sized<"F">(3), sized<"C">(2)}};
  const std::string summary = explain<golden::gat>(n), full = explain<golden::gat>(n, in_full);
  const std::string rest = full.substr(full.find("\nA unit is"));
  const std::vector<std::string> bytes = lines_of(summary, "  bytes moved"), memory = lines_of(summary, "  memory");
  ASSERT_EQ(bytes.size(), 2U);
  for (const std::string& line : bytes) {  // "  bytes moved  F = N (M MB)"
    const std::string formula = line.substr(line.find_first_not_of(' ', 13));
    EXPECT_THAT(rest, HasSubstr("    bytes " + formula.substr(0, formula.find(" ("))));
  }
  const peak_memory peak = peak_bytes<golden::gat>(n);
  ASSERT_EQ(memory.size(), 2U);
  EXPECT_THAT(memory[0], HasSubstr(' ' + std::to_string(peak.inference) + " bytes = "));
  EXPECT_THAT(memory[1], HasSubstr(' ' + std::to_string(peak.training) + " bytes = "));
}

// By hand: the sum moves 24 bytes per edge and vertex, see above, and the product 32 + 2 * 128 per vertex.
constexpr auto narrow_then_wide = [](auto v) {
  return matmul(relu(matmul(sum(v.in_edges().src(h) * v.in_edges()(edge_feature<"u">)), A)), B);
};
TEST(summary, ranks_units_by_what_they_cost) {
  const std::string few = explain<narrow_then_wide>({.vertices = 1000, .edges = 0});
  const std::string many = explain<narrow_then_wide>({.vertices = 1000, .edges = 1'000'000});
  EXPECT_THAT(lines_of(many, "  costs most")[0], HasSubstr("sweep along in-edges"));
  EXPECT_THAT(lines_of(many, "  costs most")[0], HasSubstr("100 %  unit 0  24024000 bytes  "));
  EXPECT_THAT(lines_of(few, "  costs most")[0], Not(HasSubstr("100 %")));
  EXPECT_THAT(lines_of(explain<narrow_then_wide>(), "  costs most")[0], HasSubstr("24*|E| + 24*|V| bytes"));
}

/// By hand: of each step the sum moves 8 bytes per edge and 12 per vertex, and a vertex's number there and back 8.
constexpr auto repeated_sum = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto s) { return tanh(sum(v.in_edges().src(s))); }, v(vertex_feature<"s">));
};
TEST(summary, says_what_of_a_step_costs_most) {
  const sizes ten{.vertices = 1000, .edges = 20'000, .extents = {sized<"T">(10)}};
  const std::vector<std::string> lines = lines_of(explain<repeated_sum>(ten), "  costs most");
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines[0], HasSubstr("scan"));
  EXPECT_THAT(explain<repeated_sum>(ten), HasSubstr("100 %    unit 0 of its step"));
  const std::string full = explain<repeated_sum>(ten, in_full);
  const std::string rule = full.substr(full.find("by MPMS, pytato's rule"));
  EXPECT_THAT(rule.substr(0, rule.find('\n')), HasSubstr("T*|E|")) << "the scan's work is counted";
}

TEST(summary, names_scopes_in_the_gradient_and_arrays_of_edges) {
  const std::string text = explain<golden::gat>();
  EXPECT_THAT(text.substr(text.find("training: ")), HasSubstr("sweep along out-edges (conv1, conv2)"));
  EXPECT_THAT(text, HasSubstr("  gradients of V1, s1, d1, c1, V2, s2, d2, c2\n"));
  EXPECT_THAT(explain<weighted>(), HasSubstr("1 array has a row per edge: 4*|E| bytes"));
  EXPECT_THAT(explain<fixed_weights>(), HasSubstr("no array has a row per edge\n"));
  EXPECT_THAT(explain<from_out_edges>(), HasSubstr("no array has a row per edge, the workspace may have\n"));
  EXPECT_THAT(explain<from_wide_out_edges>(), HasSubstr("no array has a row per edge\n")) << "ids are needed anyway";
}

constexpr auto scored = [](auto v) {
  constexpr auto layer = [](auto v, auto y) {
    return sum(softmax(named<"score">(v.in_edges()(w))) * v.in_edges().src(y));
  };
  return scope<"first">(v, layer, v(h));
};
TEST(summary, names_values_without_their_scope) {
  EXPECT_THAT(explain<scored>(), HasSubstr("sweep along in-edges (first, \"score\")"));
}

/// The second output reads nothing that is trained.
constexpr auto one_is_trained = [](auto v) { return outputs(matmul(v(h), A), v(h) * 2.0); };
TEST(summary, tells_of_cotangents_that_no_gradient_reads) {
  EXPECT_THAT(lines_of(explain<one_is_trained>(), "  ignored")[0],
              HasSubstr("the cotangent of output 1; no gradient depends"));
  EXPECT_THAT(explain<golden::gat>(), Not(HasSubstr("ignored")));
}

TEST(dot, is_of_the_program_before_it_is_differentiated) {
  EXPECT_EQ(to_dot<golden::gat>(), ir::to_dot(canonical<ref<golden::gat>>::value.thaw()));
  EXPECT_THAT(to_dot<weighted>(), HasSubstr("label=\"%0 input h vertex f32 (4)\""));
}

}  // namespace
}  // namespace stg
