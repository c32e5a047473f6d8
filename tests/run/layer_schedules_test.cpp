// test: draft programs_at_run_time
// The schedules that fit all, on every layer: trained by them, a layer gives the bits of the plain one, or numbers that
// bf16 allows.
#include "support/layers.hpp"  // for_each_layer

#include <stg/pass/dce.hpp>    // dce
#include <stg/pass/value.hpp>  // value
#include <stg/pipeline.hpp>    // canonical
#include <stg/schedule.hpp>    // small, half, verify_programs
#include <stg/stg.hpp>         // the language

#include <gtest/gtest.h>  // TEST

#include <iostream>  // cout
#include <list>      // list
#include <string>    // string
#include <vector>    // vector

namespace stg {
namespace {

/// In f32, as users have them.
ir::program in_floats(ir::program p) {
  for (ir::statement& s : p.statements)
    if (s.type == f64) s.type = f32;
  for (ir::program& c : p.callees) c = in_floats(c);
  return p;
}
/// The sum of the exponentials of a program's first real output, which trains all that it reads.
ir::program summed(ir::program p) {
  pass::value y{&p, p.outputs[0].at};
  y = pass::apply(ir::opcode::exp, y);  // squares of what a norm gives are always one, cubes cancel
  y = pass::reduce(ir::opcode::reduce_sum, y, (std::int64_t(1) << y.dims().rank) - 1);
  y = pass::reshape(y, ir::shape());
  if (y.where().kind == ir::space::edge) y = pass::aggregate(ir::opcode::sum_edges, y, ir::direction::in);
  if (y.where().kind != ir::space::graph) y = pass::apply(ir::opcode::sum_vertices, y);
  p.outputs = {};
  p.outputs.push_back({y.id, text()});
  return p;
}

/// Numbers for each input of a program.
struct inputs {
  std::list<tensor<float>> numbers;
  std::list<tensor<std::int32_t>> integers;
  std::list<tensor<bool>> masks;
  std::vector<program_input> all;

  inputs(const ir::program& p, const graph& g) {
    std::uint64_t seed = 1;
    for (const ir::statement& s : p.statements) {
      if (s.code != ir::opcode::input) continue;
      std::vector<std::int64_t> shape;
      if (s.where.kind != ir::space::graph)
        shape.push_back(s.where.kind == ir::space::vertex ? g.vertices() : g.edges());
      for (int a = 0; a < s.dims.rank; ++a) shape.push_back(s.dims.axes[a].is_static() ? s.dims.axes[a].code : 3);
      const std::string_view name = p.inputs[s.entry()].name.view();
      if (s.type == scalar_type::i32) {
        all.emplace_back(name, integers.emplace_back(dimensions(shape)));
      } else if (s.type == scalar_type::boolean) {
        tensor<bool>& mask = masks.emplace_back(dimensions(shape));
        for (std::int64_t k = 0; k < mask.size(); ++k) mask.data()[k] = k % 3 != 1;
        all.emplace_back(name, mask);
      } else {
        uniform(numbers.emplace_back(dimensions(shape)), -1, 1, seed++);
        all.emplace_back(name, numbers.back());
      }
    }
  }
};

TEST(layer_schedules, fit_every_layer) {
  const graph g = graph::from_edges(7, {0, 1, 2, 3, 4, 5, 0, 2, 6, 3}, {1, 2, 3, 4, 5, 6, 2, 0, 0, 1});
  /// Layers here have a few features, which `half` leaves as they are. Gradients of scores are differences of rows, of
  /// which eight bits are left.
  constexpr auto narrow = scheduled([](auto s) {
    s.stored_as(bf16);
    s.choose({.few_numbers = 1});
  });
  int layers = 0, rounded = 0;
  double worst = 0;
  layers::for_each_layer([&](auto layer) {
    const ir::program p = pass::dce(summed(in_floats(pipeline::canonical(trace(layer.program)))));
    const inputs given(p, g);
    SCOPED_TRACE(layer.name);
    try {
      EXPECT_TRUE(verify_programs(0, p, schedules::small(p), g, given.all).same_bits);
      EXPECT_LT(verify_programs(0.02, p, schedules::half(p), g, given.all).worst, 0.02);
      const schedule_check half = verify_programs(0.1, p, narrow(p), g, given.all);
      rounded += !half.same_bits;
      worst = std::max(worst, half.worst);
    } catch (const error& e) {
      ADD_FAILURE() << e.what();
    }
    ++layers;
  });
  std::cout << layers << " layers, " << rounded << " of them rounded, worst " << worst << '\n';
  EXPECT_GT(2 * rounded, layers);
}

}  // namespace
}  // namespace stg
