// test: proof kernels 0, counted
// Units that do the same share kernels, in a program and among programs, give what they should, and are told from those
// that are nearly alike.
#include "support/backend_check.hpp"  // check_sample

#include <stg/codegen/cpu/form.hpp>  // form_of_unit, has_kernel
#include <stg/nn/conv.hpp>           // gcn_conv, gat_conv

#include <gtest/gtest.h>  // TEST

#include <set>          // set
#include <type_traits>  // is_same_v
#include <typeindex>    // type_index
#include <utility>      // integer_sequence

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 8>);
constexpr auto w = edge_feature<"w", f64, 8>;

/// Parameters of layer K.
template <int K> constexpr fixed_string<3> numbered(char letter) {
  const char name[3] = {letter, static_cast<char>('0' + K), 0};
  return fixed_string<3>(name);
}
template <int K> inline constexpr auto W = parameter<numbered<K>('W'), f64, 8, 8>;
template <int K> inline constexpr auto b = parameter<numbered<K>('b'), f64, 8>;
template <int K> inline constexpr auto from = parameter<numbered<K>('s'), f64, 2, 4>;
template <int K> inline constexpr auto to = parameter<numbered<K>('d'), f64, 2, 4>;

/// `Layers` layers, the K-th of which is Layer::of<K>(v, h).
template <class Layer, int Layers, int K = 0> constexpr auto stacked(auto v, auto h) {
  if constexpr (K == Layers) return h;
  else return stacked<Layer, Layers, K + 1>(v, Layer::template of<K>(v, h));
}
template <class Layer, int Layers> inline constexpr auto stack = [](auto v) { return stacked<Layer, Layers>(v, v(x)); };

struct convolution {
  template <int K> static constexpr auto of(auto v, auto h) { return stg::tanh(nn::gcn_conv(v, h, W<K>) + b<K>); }
};
struct attention {
  template <int K> static constexpr auto of(auto v, auto h) {
    return nn::layer_norm(h + stg::reshape<8>(nn::gat_conv(v, h, W<K>, from<K>, to<K>)));
  }
};
struct in_turns {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K % 2 == 0) return convolution::of<K>(v, h);
    else return attention::of<K>(v, h);
  }
};
struct gated {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto gate = sigmoid(nn::gcn_conv(v, h, W<0>) + b<0>);
    return gate * h + (1.0 - gate) * stg::tanh(sum(v.in_edges().src(h)));
  }
};
struct dense {
  template <int K> static constexpr auto of(auto, auto h) { return relu(matmul(h, W<K>) + b<K>); }
};
struct dropped {
  template <int K> static constexpr auto of(auto v, auto h) {
    return dropout(stg::tanh(sum(v.in_edges().src(h) * v.in_edges()(w))), 0.3);
  }
};

// Layers that differ in one thing alone, each a different one.
struct by_slope {
  template <int K> static constexpr auto of(auto v, auto h) {
    return sum(leaky_relu(v.in_edges().src(h) * v.in_edges()(w), 0.1 * (K % 3)));
  }
};
struct by_slice {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto theirs = v.in_edges().src(stg::slice<K % 3, K % 3 + 1>(h)) * stg::slice<K % 3 + 1, K % 3 + 2>(h);
    return stg::tanh(h + mean(theirs));
  }
};
struct by_side {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K % 2 == 0) return stg::tanh(sum(v.in_edges().src(h) * v.in_edges()(w)));
    else return stg::tanh(sum(v.out_edges().dst(h) * v.out_edges()(w)));
  }
};
struct by_order {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto theirs = v.in_edges().src(h);
    if constexpr (K % 2 == 0) return max(theirs * v.in_edges()(w) - h);
    else return max(h - theirs * v.in_edges()(w));
  }
};
struct by_operation {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto messages = stg::tanh(v.in_edges().src(h) * v.in_edges()(w));
    if constexpr (K % 3 == 0) return sum(messages);
    else if constexpr (K % 3 == 1) return mean(messages);
    else return max(messages);
  }
};
/// The first reads its own row twice, the others another one beside it.
struct by_operand {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K == 0) return sum(v.in_edges().src(h) * h) + 0.0 * h;
    else return sum(v.in_edges().src(h) * v(x)) + 0.0 * h;
  }
};

template <const auto& F> using training = differentiated<ref<F>, provided<0>, required<>>;

/// The kernels of a plan: a set of forms.
using kernel_set = std::set<std::type_index>;
template <class P> void add_kernels(kernel_set& all) {
  [&]<int... Unit>(std::integer_sequence<int, Unit...>) {
    const auto add = [&]<int U>(std::integral_constant<int, U>) {
      if constexpr (cpu::has_kernel(P::plan.units[U])) all.insert(typeid(cpu::form_of_unit<P, U>));
    };
    (add(std::integral_constant<int, Unit>()), ...);
  }
  (std::make_integer_sequence<int, P::plan.unit_count>());
}
/// How many the plans have together.
template <class... P> std::size_t kernels() {
  kernel_set all;
  (add_kernels<P>(all), ...);
  return all.size();
}
template <const auto& F> using plain = executable<inferred<ref<F>>>;
template <const auto& F> using forward = executable<typename training<F>::forward>;
template <const auto& F> using gradient = executable<typename training<F>::gradient>;

template <class Layer> void expect_depth_is_free() {
  constexpr auto& few = stack<Layer, 5>;
  constexpr auto& many = stack<Layer, 7>;
  EXPECT_EQ((kernels<plain<many>>()), (kernels<plain<few>>()));
  EXPECT_EQ((kernels<forward<many>>()), (kernels<forward<few>>()));
  EXPECT_EQ((kernels<gradient<many>>()), (kernels<gradient<few>>()));
  EXPECT_LE((kernels<plain<few>, forward<few>, gradient<few>, plain<many>, forward<many>, gradient<many>>()),
            (kernels<plain<few>, forward<few>, gradient<few>>() + 1))
      << "but for one that works on a vertex's values of all layers, in a gradient, a program of another depth has "
         "none";
}
TEST(equal_units, are_compiled_once_whatever_the_depth) {
  expect_depth_is_free<convolution>();
#if defined(STG_PROOF)
  expect_depth_is_free<attention>();
  expect_depth_is_free<dropped>();
#endif
}

// ---- programs of one file ----

/// The form of the only unit of a program, run plainly.
template <const auto& F> struct one_unit {
  using P = plain<F>;
  static_assert(P::plan.unit_count == 1);
  using type = cpu::form_of_unit<P, 0>;
};
template <const auto& F> using form_of = typename one_unit<F>::type;
template <const auto& A, const auto& B> inline constexpr bool share = std::is_same_v<form_of<A>, form_of<B>>;

template <class T, auto Width> struct program_of {
  static constexpr auto x = vertex_feature<"x", T::value, Width>;
  static constexpr auto other = vertex_feature<"other", T::value, Width>;
  static constexpr auto w = edge_feature<"w", T::value>;
  static constexpr auto sums = [](auto v) { return sum(v.in_edges().src(x) * v.in_edges()(w)); };
  /// Other names, and inputs in another order.
  static constexpr auto renamed = [](auto v) {
    auto weights = v.in_edges()(w);
    return sum(v.in_edges().src(other) * weights);
  };
  static constexpr auto along_out = [](auto v) { return sum(v.out_edges().dst(x) * v.out_edges()(w)); };
  static constexpr auto of_destinations = [](auto v) { return sum(v.in_edges().dst(x) * v.in_edges()(w)); };
  static constexpr auto maxima = [](auto v) { return max(v.in_edges().src(x) * v.in_edges()(w)); };
  static constexpr auto means = [](auto v) { return mean(v.in_edges().src(x) * v.in_edges()(w)); };
  static constexpr auto unweighted = [](auto v) { return sum(v.in_edges().src(x)); };
  static constexpr auto own = [](auto v) { return sum(v.in_edges().src(x) * v.in_edges()(w)) + v(x); };
  static constexpr auto other_own = [](auto v) { return sum(v.in_edges().src(x) * v.in_edges()(w)) + v(other); };
};
using in_f32 = std::integral_constant<scalar_type, f32>;
using in_f64 = std::integral_constant<scalar_type, f64>;
using wide = program_of<in_f32, 16>;
using named_width = program_of<in_f32, extent<"F">>;
using other_width = program_of<in_f32, extent<"G">>;

static_assert(share<wide::sums, wide::renamed>);
static_assert(share<named_width::sums, other_width::renamed>, "both are widths that a call brings");
static_assert(!share<wide::sums, named_width::sums>);
static_assert(!share<wide::sums, program_of<in_f32, 17>::sums>);
static_assert(!share<wide::sums, program_of<in_f64, 16>::sums>);
static_assert(!share<wide::sums, wide::along_out>);
static_assert(!share<wide::sums, wide::of_destinations>);
static_assert(!share<wide::sums, wide::maxima>);
static_assert(!share<wide::sums, wide::means>);
static_assert(!share<wide::sums, wide::unweighted>);
static_assert(!share<wide::sums, wide::own>);
static_assert(!share<wide::own, wide::other_own>, "one of them reads the row that it gathers");

template <int Slope> inline constexpr auto sloped = [](auto v) { return leaky_relu(v(wide::x), 0.1 * Slope); };
template <int From> inline constexpr auto sliced = [](auto v) { return relu(stg::slice<From, From + 4>(v(wide::x))); };
template <int Site>
inline constexpr auto masked = [](auto v) {
  if constexpr (Site == 0) return dropout(v(wide::x), 0.5);
  else return dropout(dropout(v(wide::other), 0.5) * v(wide::x), 0.5);
};
template <int Tenths> inline constexpr auto masked_by = [](auto v) { return dropout(v(wide::x), 0.1 * Tenths); };
static_assert(share<sloped<1>, sloped<1>> && !share<sloped<1>, sloped<2>> && !share<sloped<1>, sloped<-1>>);
static_assert(!share<sliced<0>, sliced<4>> && !share<sliced<4>, sliced<8>>);

template <const auto& F> using first_forward = cpu::form_of_unit<forward<F>, 0>;
static_assert(!std::is_same_v<first_forward<masked_by<3>>, first_forward<masked_by<5>>>, "a probability is the unit's");
static_assert(!std::is_same_v<first_forward<masked<0>>, first_forward<masked<1>>>);

template <class Layer, int Layers> void check(const char* name) {
  for (const test::family& f : test::families())
    test::check_sample<stack<Layer, Layers>>(name, f.graph, std::string(f.name));
}
TEST(equal_units, give_what_the_oracle_gives) {
  check<in_turns, 5>("in turns");
  check<dense, 5>("dense");
#if defined(STG_PROOF)
  check<convolution, 5>("convolutions");
  check<attention, 4>("attention");
  check<gated, 4>("gated");
#endif
}
/// Layers with the same probability draw different masks, with one kernel: those of their own sites.
TEST(equal_units, draw_masks_of_their_own) { check<dropped, 5>("dropped"); }

TEST(equal_units, are_told_from_those_that_differ_in_one_thing) {
  check<by_slope, 5>("by slope");
  check<by_slice, 5>("by slice");
  check<by_side, 4>("by side");
  check<by_order, 4>("by order");
  check<by_operation, 5>("by operation");
  check<by_operand, 4>("by operand");
}

}  // namespace
}  // namespace stg
