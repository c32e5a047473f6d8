// test: proof kernels all, counted
// Rows of unknown length in registers: which loops gain by them, and attention whose classes are known at run time
// alone, forward and its gradient.
#include "support/backend_check.hpp"  // check_training
#include "support/widths.hpp"         // short_rows, rows_of_all_lengths

#include <stg/codegen/cpu/sweep.hpp>  // gains_by_registers

namespace stg::test {
namespace {

template <scalar_type T> struct classes {
  static constexpr auto x = trainable(vertex_feature<"x", T, 5>);
  static constexpr auto W = parameter<"W", T, 5, extent<"C">>;
  static constexpr auto from = parameter<"from", T, 1, extent<"C">>;
  static constexpr auto to = parameter<"to", T, 1, extent<"C">>;
  static constexpr auto layer = [](auto v) { return nn::gat_conv(v, v(x), W, from, to); };
};

/// Sweeps of a program that run another loop in one pass where rows of unknown length fit registers of so many bytes.
template <class Program, int VectorBytes> constexpr int gaining_sweeps() {
  using P = executable<Program>;
  using plain = cpu::on_vectors<P, VectorBytes>;
  using held = cpu::on_vectors<cpu::in_registers<P>, VectorBytes>;
  return [&]<int... Unit>(std::integer_sequence<int, Unit...>) {
    return (0 + ... + int(cpu::detail::gains_by_registers<held, plain, Unit>(cpu::detail::steps_of<P, Unit>)));
  }
  (std::make_integer_sequence<int, P::plan.unit_count>());
}
using training = differentiated<ref<classes<f32>::layer>, provided<0>, required<0, 1, 2, 3>>;
static_assert(gaining_sweeps<training::forward, 64>() == 1, "attention's sums over classes stay in registers");
static_assert(gaining_sweeps<training::gradient, 64>() == 1, "and those of its gradient");
static_assert(gaining_sweeps<inferred<ref<classes<f32>::layer>>, 32>() == 1, "where there are fewer of them, too");

/// Around one register and three of them, of every instruction set.
constexpr int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 23, 24, 25, 31, 33, 40, 47, 48, 49, 64, 65};

template <const auto& Program> void check_lengths(const graph& g) {
  using Ref = ref<Program>;
  const ir::program p = canonical<Ref>::value.thaw();
  for (const int n : lengths) {
    const oracle::environment env = random_inputs(p, g, 5, {{"C", n}});
    all_inputs<Ref> inputs = bind_all<Ref>(p, g, env);
    check_training<Program>(p, g, env, inputs, "attention over " + std::to_string(n) + " classes");
  }
}
TEST(held_rows, training_on_short_rows) { check_lengths<classes<f64>::layer>(short_rows()); }
TEST(held_rows, training_on_rows_of_several_chunks) { check_lengths<classes<f64>::layer>(rows_of_all_lengths()); }

TEST(held_rows, forward_in_f32) {
  for (const int n : lengths) {
    SCOPED_TRACE("C = " + std::to_string(n));
    check_forward<classes<f32>::layer, f32>({{"C", n}}, short_rows());
    check_forward<classes<f32>::layer, f32>({{"C", n}});
  }
}

// A message that two sums read is computed once for both, all of its axes in one loop; the sum of exponentials by which
// one of them is divided has a number for each head.
template <auto Heads, auto Dim> struct two_sums {
  static constexpr auto x = vertex_feature<"x", Heads, Dim>;
  static constexpr auto left = vertex_feature<"left", Heads, 1>;
  static constexpr auto right = vertex_feature<"right", Heads, 1>;
  static constexpr auto w = edge_feature<"w">;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    auto message = softmax(leaky_relu(e.src(left) + v(right), 0.2)) * e.src(x);
    return outputs(sum(message), sum(message * e(w)));
  };
};
template <int Heads, int Dim> void check_two_sums() {
  SCOPED_TRACE(std::to_string(Heads) + " heads of " + std::to_string(Dim));
  check_forward<two_sums<Heads, Dim>::program, f32>({}, short_rows());
  check_forward<two_sums<Heads, Dim>::program, f32>();
}
TEST(held_rows, two_sums_of_one_softmax) {
  check_two_sums<2, 16>();
  check_two_sums<2, 20>();
  check_two_sums<8, 8>();
  check_two_sums<1, 40>();
  for (const int n : lengths) {
    SCOPED_TRACE("D = " + std::to_string(n));
    check_forward<two_sums<2, extent<"D">>::program, f32>({{"D", n}}, short_rows());
  }
}

// One sweep, rows of two lengths: it may hold none in registers unless all fit.
struct two_lengths {
  static constexpr auto x = vertex_feature<"x", extent<"F">>;
  static constexpr auto y = vertex_feature<"y", 1, extent<"C">>;
  static constexpr auto score = vertex_feature<"score", 1, 1>;
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return outputs(sum(softmax(leaky_relu(e.src(score), 0.2)) * e.src(y)), sum(e.src(x)));
  };
};
TEST(held_rows, one_length_fits_and_another_does_not) {
  for (const int n : lengths) {
    SCOPED_TRACE("C = " + std::to_string(n));
    for (const int other : {3, 20, 200})
      check_forward<two_lengths::program, f32>({{"C", n}, {"F", other}}, short_rows());
  }
}

}  // namespace
}  // namespace stg::test
