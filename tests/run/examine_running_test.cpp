// test: draft programs_at_run_time, proof kernels 0
// Programs and parts of programs that are made at run time and called, against the oracle; and what a call lacks.
#include "../static/examine/partitions.hpp"  // attention, in_one, in_stages, …

#include "expect_error.hpp"  // expect_error

#include <stg/call/runnable.hpp>        // runnable, runnable_parts
#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/differentiate.hpp>        // differentiate
#include <stg/stg.hpp>                  // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>  // abs, sin
#include <deque>  // deque

namespace stg::examined {
namespace {

/// Numbers for the inputs of a program over a graph, for the oracle and as tensors; extents with names are 3, steps 4.
struct drawn_inputs {
  drawn_inputs(const ir::program& p, const graph& g) {
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      const std::int64_t rows = s.where == ir::space::vertex ? g.vertices()
                                : s.where == ir::space::edge ? g.edges()
                                                             : 1;
      std::vector<std::int64_t> axes;
      if (s.is_sequence()) axes.push_back(4);
      if (s.where != ir::space::graph) axes.push_back(rows);
      for (int a = 0; a < s.dims.rank; ++a) axes.push_back(s.dims.axes[a].is_static() ? s.dims.axes[a].code : 3);
      const dimensions shape{std::span<const std::int64_t>(axes)};
      oracle::array numbers;
      for (std::int64_t k = 0; k < shape.size(); ++k)
        numbers.push_back(s.type == i32 ? static_cast<double>(k % 3)
                                        : std::sin(static_cast<double>(k + 7 * s.entry())));
      const std::string name(p.inputs[s.entry()].name.view());
      if (name.empty()) env.entries[s.entry()] = numbers;
      else env.inputs[name] = numbers;
      tensors.push_back(s.type == i32 ? any_tensor(tensor_of<std::int32_t>(shape, numbers))
                                      : any_tensor(tensor_of<float>(shape, numbers)));
      names.push_back(name);
      if (name.empty()) inputs.emplace_back(s.entry(), tensors.back());
      else inputs.emplace_back(std::string_view(names.back()), tensors.back());
    }
  }
  template <class T> static tensor<T> tensor_of(const dimensions& shape, oracle::array& numbers) {
    tensor<T> made(shape);
    for (std::int64_t k = 0; k < shape.size(); ++k) {
      made.data()[k] = static_cast<T>(numbers[static_cast<std::size_t>(k)]);
      numbers[static_cast<std::size_t>(k)] = static_cast<double>(made.data()[k]);
    }
    return made;
  }

  oracle::environment env{};
  std::deque<any_tensor> tensors{};
  std::deque<std::string> names{};
  std::vector<program_input> inputs{};
};
void expect_close(const std::vector<any_tensor>& found, const std::vector<oracle::array>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto& t = std::get<tensor<float>>(found[k]);
    ASSERT_EQ(t.size(), std::ssize(expected[k])) << "output " << k;
    for (std::int64_t i = 0; i < t.size(); ++i) {
      const double e = expected[k][static_cast<std::size_t>(i)];
      EXPECT_NEAR(t.data()[i], e, 1e-5 * (1 + std::abs(e))) << "output " << k << ", number " << i;
    }
  }
}
graph five_vertices() { return graph::from_edges(5, {0, 1, 2, 3, 4, 0, 2}, {1, 2, 0, 0, 2, 3, 1}); }

constexpr auto several_kinds_of_output = [](auto v) {
  auto e = v.in_edges();
  auto score = e.src(x) * e(ew);
  return outputs(score, sum(score), sum(v(x), all_vertices), v(x), v(x) + W);
};
TEST(programs, run_on_the_kernels_of_the_library) {
  const graph g = five_vertices();
  for (const ir::program& p : {canonical(attention), canonical(two_losses), canonical(repeated), canonical(rounds_both),
                               canonical(twice), canonical(several_kinds_of_output), trace(attention)}) {
    const drawn_inputs in(p, g);
    const runnable run(p);
    const std::vector<oracle::array> expected = oracle::interpret(p, g, in.env);
    expect_close(run(g, in.inputs), expected);
    expect_close(run(g, in.inputs), expected);
  }
}
/// Of authors, papers and who wrote which; and a scan that sees another graph at each step.
TEST(programs, run_over_several_kinds_and_over_graphs_that_change) {
  graphs kinds;
  kinds.add_vertices(author, 2).add_vertices(paper, 3);
  kinds.add_edges(writes, {0, 1, 1}, {0, 0, 2});
  const auto ages = tensor<float>::from({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto mean_ages = runnable(canonical(written_by))(kinds, {{"age", ages}});
  EXPECT_EQ(std::get<tensor<float>>(mean_ages[0])(0, 1), 4);
  EXPECT_EQ(std::get<tensor<float>>(mean_ages[0])(2, 0), 5);

  const std::vector<snapshot_edges> days{{{0, 1}, {1, 2}, {1, 1}}, {{2}, {0}, {1}}};
  const auto sequence = graph_sequence::from_steps(3, days);
  const ir::program p = canonical([](auto v) {
    return scan<"T">(
        v, [](auto at, auto h) { return h + sum(at.in_edges().src(at(series))); }, zeros<4>(v));
  });
  const auto over_time = tensor<float>::full({2, 3, 4}, 1);
  const auto seen = runnable(p)(sequence, {{"s", over_time}});
  for (int vertex = 0; vertex < 3; ++vertex) EXPECT_EQ(std::get<tensor<float>>(seen[0])(vertex, 0), 1);
  const tensor<float> X({3, 4});
  const runnable outside(canonical([](auto v) { return sum(v.in_edges().src(v(x))); }));
  test::expect_error(
      [&] {
        outside(sequence, {{"x", X}});
      },
      {"a graph_sequence has a graph for each step of a scan; the"});
}
TEST(programs, are_gradients_too_whose_inputs_have_no_names) {
  const graph g = five_vertices();
  const program_with_gradient d = differentiate(canonical(attention), {0}, keeping::everything);
  const drawn_inputs in(d.gradient, g);
  expect_close(runnable(d.gradient)(g, in.inputs), oracle::interpret(d.gradient, g, in.env));
}
TEST(parts, run_one_after_the_other) {
  const graph g = five_vertices();
  for (const ir::program& p :
       {canonical(attention), canonical(two_losses), canonical(repeated), canonical(several_kinds_of_output)}) {
    const drawn_inputs in(p, g);
    const std::vector<oracle::array> expected = oracle::interpret(p, g, in.env);
    for (const examine::partitioned& cut :
         {examine::partition(p, in_one), in_stages(p), examine::partition(p, [](node n) { return n.at; })})
      expect_close(runnable_parts(cut)(g, in.inputs), expected);
  }
}
TEST(programs, say_what_a_call_lacks) {
  const graph g = five_vertices();
  const ir::program p = canonical([](auto v) { return matmul(v(x), W); });
  const runnable run(p);
  const runnable_parts parts(examine::partition(p, in_one));
  const tensor<float> X({5, 4}), V({4, 4});
  const tensor<double> wide({4, 4});
  test::expect_error([&] { run(g, {{"x", X}}); }, {"input 'W' is not given; add it to the call"});
  test::expect_error([&] { run(g, {{"x", X}, {"x", X}}); }, {"input 'x' is given twice; give each input once"});
  test::expect_error([&] { run(g, {{"z", X}}); }, {"the program has no input 'z'; give those that it reads"});
  test::expect_error([&] { run(g, {{7, X}}); }, {"the program has no input '#7'; give those that it reads"});
  test::expect_error(
      [&] {
        run(g, {{"x", X}, {"W", wide}});
      },
      {"input 'W' takes a tensor of f32; convert what is given, x.to<T>()"});
  test::expect_error([&] { run(g, {{"x", V}, {"W", V}}); }, {"input 'x' has 4 rows; the graph has 5 vertices"});
  test::expect_error(
      [&] {
        parts(g, {{"x", X}, {"W", V}, {"z", X}});
      },
      {"no part of the program has input 'z'; give what the parts read, by name"});
  ir::program broken = p;
  broken.statements[0].dims.axes[0] = ir::extent(7);
  test::expect_error([&] { runnable{broken}; },
                     {"a program to be run breaks a rule of programs at value %2; see stg::"});
  ir::program mistaken = p;
  mistaken.wrong = ir::mistake::bounds_exchanged;
  test::expect_error([&] { runnable{mistaken}; },
                     {"a program to be run is of a lambda with a mistake: bounds_exchanged"});
}

}  // namespace
}  // namespace stg::examined
