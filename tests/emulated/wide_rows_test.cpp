// test: programs, proof
// Rows so wide that a whole block shares one, and graph arithmetic on parameters that are as large.
#include "support/backend_check.hpp"  // check_sample
#include "support/widths.hpp"         // check_forward

#include <stg/codegen/cuda/arguments.hpp>  // lanes_of

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 513>);
constexpr auto W = parameter<"W", f64, 33, 20>;
constexpr auto b = parameter<"b", f64, 513>;

constexpr auto centred = [](auto v) {
  auto m = mean(v.in_edges().src(x));
  auto w = v(W);
  return sum((m - v(b)) * (m - v(b)) * v(x), axis<0>) * sum(sum(w * w, axis<1>), axis<0>);
};
constexpr auto penalty = [](auto v) {
  auto w = v(W);
  return sum(max(w * tanh(w), axis<1>), axis<0>);
};

template <const auto& F> constexpr int lanes() {
  return gpu::lanes_of<gpu::unit_view<gpu::executable<inferred<ref<F>>>, 0>>();
}
static_assert(lanes<test::aggregates<f32, 512>::program>() == gpu::block_threads);
static_assert(lanes<test::aggregates<f32, 508>::program>() == 32);
static_assert(lanes<penalty>() == gpu::block_threads);

TEST(wide_rows, of_aggregates) {
  test::check_forward<test::aggregates<f32, 512>::program, f32>();
  test::check_forward<test::aggregates<f64, 129>::program, f64>();
  test::check_forward<test::every_aggregate<f64, 130>::program, f64>({}, test::short_rows());
}
TEST(wide_rows, of_attention) { test::check_forward<test::attention<f32, 4, 130>::program, f32>(); }
TEST(wide_rows, of_long_rows) {
  test::backend::long_row_edges = 20;
  test::check_forward<test::aggregates<f32, 512>::program, f32>();
  test::check_forward<test::attention<f32, 1, 516>::program, f32>();
  test::backend::long_row_edges = 300;
}
TEST(wide_rows, of_gradients) {
  for (const test::family& f : test::families()) test::check_sample<centred>("centred", f.graph, f.name);
}
TEST(wide_rows, of_parameters) { test::check_sample<penalty>("penalty", test::rows_of_all_lengths(), "rows"); }

}  // namespace
}  // namespace stg
