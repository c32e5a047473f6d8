// test: draft texts
// Programs as text and as Graphviz graphs.
#include "support/samples.hpp"         // classification
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/ir/print.hpp>       // to_text, to_dot
#include <stg/pass/autodiff.hpp>  // autodiff
#include <stg/pass/cse.hpp>       // cse

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count
#include <regex>      // regex
#include <set>        // set

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 8, 16>;
constexpr auto y = vertex_feature<"y", 4>;
constexpr auto z = vertex_feature<"z", extent<"F">>;
constexpr auto both = vertex_feature<"both", 2 * extent<"F"> + 6>;
constexpr auto weights = trainable(edge_feature<"w">);

TEST(text, is_one_line_per_statement_in_columns) {
  const ir::program p = trace([](auto v) {
    auto e = v.in_edges();
    auto layer = [](auto, auto e) {
      auto neighbour = leaky_relu(e.src(x), 0.2);
      return named<"total">(sum(neighbour * e(weights)));
    };
    return scope<"conv1">(v, layer, e);
  });
  EXPECT_EQ(ir::to_text(p),
            "%0 = input x                    vertex  f32  (8, 16)  conv1\n"
            "%1 = gather_src (%0)            edge    f32  (8, 16)  conv1\n"
            "%2 = leaky_relu slope=0.2 (%1)  edge    f32  (8, 16)  conv1\n"
            "%3 = input w trainable          edge    f32  ()       conv1\n"
            "%4 = mul (%2, %3)               edge    f32  (8, 16)  conv1\n"
            "%5 = sum_edges in (%4)          vertex  f32  (8, 16)  conv1  \"conv1/total\"\n"
            "output %5\n"
            "traced\n");
}

TEST(text, spells_attributes_and_run_time_extents) {
  const std::string text = ir::to_text(trace([](auto v) {
    auto joined = concat<axis<0>>(concat<axis<0>>(v(z), v(z)), concat<axis<0>>(v(y), slice<1, 3>(v(y))));
    return outputs(both = dropout(joined, 0.5), mean(v(z), axis<0>), sum(v.out_edges().dst(y)), elu(v(y), 1.5),
                   v.out_degree());
  }));
  for (const char* part :
       {"(2*F+6)", "(2*F)", "(F)", "concat axis=0 (", "slice axis=0 from=1 (", "keep_mask p=0.5 site=0 ",
        "reduce_sum axis=0 (", "extent_value F ", "sum_edges out (", "elu alpha=1.5 (", "degree out ", "\noutput %"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("\noutput %[0-9]+ both\noutput %[0-9]+\n"))) << text;
}

TEST(text, says_what_is_checked_before_a_run) {
  const std::string text = ir::to_text(trace(samples::classification));
  EXPECT_TRUE(std::regex_search(text, std::regex("\ncheck %[0-9]+ in \\[0, 5\\) where %[0-9]+\n"))) << text;
}

TEST(text, has_a_line_for_every_statement_and_output) {
  test::for_each_traced([](const test::traced_sample& sample) {
    ir::program p = sample.program;
    p.scopes_apart = false;  // which has a line, too
    const std::string text = ir::to_text(p);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              static_cast<std::ptrdiff_t>(p.statements.size() + p.outputs.size() + p.checks.size()));
    EXPECT_EQ(text.find(" \n"), std::string::npos) << "trailing blanks";
  });
}

/// Reads the lines that to_dot writes, as strictly as Graphviz: one node or edge each, quotes escaped, no unknown node.
void expect_valid_dot(const std::string& dot, std::size_t nodes, std::size_t edges) {
  const std::regex node(R"re(  (\w+) \[label="(?:[^"\\]|\\["\\])*"(?:, \w+=\w+)*\];)re"), edge(R"(  (\w+) -> (\w+);)");
  std::set<std::string> known;
  std::size_t edges_seen = 0;
  std::istringstream lines(dot);
  std::string line, last;
  std::getline(lines, line);
  EXPECT_EQ(line, "digraph program {");
  std::getline(lines, line);
  EXPECT_EQ(line, "  node [shape=box, style=filled, fontname=monospace];");
  while (std::getline(lines, line)) {
    std::smatch parts;
    last = line;
    if (std::regex_match(line, parts, node)) {
      EXPECT_TRUE(known.insert(parts[1]).second) << line;
    } else if (std::regex_match(line, parts, edge)) {
      ++edges_seen;
      EXPECT_TRUE(known.contains(parts[1]) && known.contains(parts[2])) << line;
    } else {
      EXPECT_EQ(line, "}");
    }
  }
  EXPECT_EQ(last, "}");
  EXPECT_EQ(known.size(), nodes);
  EXPECT_EQ(edges_seen, edges);
}

TEST(dot, is_valid_for_every_sample_and_its_gradient) {
  test::for_each_traced([](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program traced = pass::cse(sample.program);
    const ir::program p = pass::autodiff(traced, {0}, {traced.outputs[0].at}).program;
    std::size_t edges = p.outputs.size();
    for (const ir::statement& s : p.statements) edges += static_cast<std::size_t>(s.arity());
    expect_valid_dot(ir::to_dot(p), p.statements.size() + p.outputs.size(), edges);
  });
}

TEST(dot, escapes_names) {
  const ir::program p = trace([](auto v) { return named<"a \"b\" \\">(v(x) * 2.0); });
  expect_valid_dot(ir::to_dot(p), 4, 3);
}

TEST(dot, says_where_a_value_was_written) {
  constexpr auto twice = [](auto, auto y) { return y * 2.0; };
  const std::string dot = ir::to_dot(trace([](auto v) { return scope<"conv1">(v, decltype(twice)(), v(x)); }));
  EXPECT_NE(dot.find("mul vertex f32 (8, 16) conv1\""), std::string::npos) << dot;
}

TEST(dot, colours_spaces) {
  const std::string dot = ir::to_dot(trace([](auto v) { return sum(v.in_edges().src(x)) * 2.0; }));
  for (const char* colour : {"fillcolor=lightblue", "fillcolor=lightsalmon", "fillcolor=lightgrey"})
    EXPECT_NE(dot.find(colour), std::string::npos) << dot;
}

}  // namespace
}  // namespace stg
