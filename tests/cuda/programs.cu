// What nvcc has to accept: programs, their gradients and plans, read by kernels that get them as types. Never run.
#include <utility>  // integer_sequence

#include <stg/compile.hpp>      // inferred, differentiated, executable
#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/dsl/scope.hpp>    // scope, named
#include <stg/nn/conv.hpp>      // gat_conv
#include <stg/op/list.hpp>      // the operators

#include "examples.hpp"  // the programs of examples/, cut out by check.py

namespace app {

inline constexpr auto x = stg::vertex_feature<"x", 2 * stg::extent<"F"> + 3>;
inline constexpr auto y = stg::vertex_feature<"y", stg::extent<"F"> * stg::extent<"C"> + stg::extent<"F">, 4>;
inline constexpr auto w = stg::trainable(stg::edge_feature<"w">);
inline constexpr auto state = stg::vertex_feature<"state", stg::f64>;

// ---- sums and products of run-time extents ----

inline constexpr auto W = stg::parameter<"W", 2 * stg::extent<"F"> + 3, stg::extent<"F"> * stg::extent<"F">>;
inline constexpr auto extents = [](auto v) {
  auto e = v.in_edges();
  auto wide = mean(matmul(v(x), W), stg::axis<0>);  // ()
  return sum(e(w) * e.src(v(y))) + wide;            // (F · C + F, 4)
};

// ---- several outputs, both directions, other scalar types ----

inline constexpr auto several = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  auto near = max(in.src(v(x)) * in(w));           // (2 · F + 3)
  auto far = mean(out.dst(v(x)) - out.src(near));  // (2 · F + 3)
  return stg::outputs(near, sum(far, stg::axis<0>), state = sum(in.src(v(state))));
};

// ---- a templated program, with scopes and names ----

template <int Heads, int Dim> inline constexpr auto V = stg::parameter<"V", 2 * stg::extent<"F"> + 3, Heads * Dim>;
template <int Heads, int Dim> inline constexpr auto s = stg::parameter<"s", Heads, Dim>;
template <int Heads, int Dim> inline constexpr auto d = stg::parameter<"d", Heads, Dim>;
// A lambda inside a lambda does not see Heads and Dim (nvcc: "identifier is undefined"), so the layer takes parameters.
template <int Heads, int Dim>
inline constexpr auto gat = [](auto v) {
  constexpr auto conv = [](auto v, auto h, auto w, auto s, auto d) {
    return stg::nn::gat_conv(v, dropout(h, 0.6), w, s, d, 0.6);
  };
  auto h = stg::scope<"conv">(v, conv, v(x), V<Heads, Dim>, s<Heads, Dim>, d<Heads, Dim>);  // (Heads, Dim)
  stg::scope_guard<"head"> in(v);
  return stg::named<"embedding">(elu(stg::reshape<Heads * Dim>(h)));
};

}  // namespace app

/// A number that differs where programs differ. As an argument of a kernel it is a part of the kernel's name: what the
/// host launches exists only if host and device made the same program of the same lambda, and check.py looks at the
/// names.
template <class P> constexpr unsigned digest() {
  unsigned d = P::value.size;
  for (int i = 0; i < P::value.size; ++i) d = 31 * d + stg::ir::hash(P::value[i]);
  return d;
}

/// A statement as kernels see it: a constant, chosen by its position.
template <class P, int I> __device__ int code_of() {
  constexpr stg::ir::statement s = P::value[I];
  return static_cast<int>(s.code) + s.dims.rank;
}
template <class P, int... I> __device__ void codes_of(int* codes, std::integer_sequence<int, I...>) {
  ((codes[I] = code_of<P, I>()), ...);
}
template <class P, unsigned Digest> __global__ void read_statements(int* codes) {
  codes_of<P>(codes, std::make_integer_sequence<int, P::value.size>());
}

/// A program with its plan as a backend sees them, walked by a loop at run time.
template <class Executable> __global__ void read_plan(int* codes) {
  constexpr auto program = Executable::program;
  constexpr auto plan = Executable::plan;
  for (int i = 0; i < program.size; ++i)
    codes[i] = static_cast<int>(program[i].code) + static_cast<int>(plan.stored[i]);
}

template <class P> void launch(int* memory) {
  read_statements<P, digest<P>()><<<1, 1>>>(memory);
  read_plan<stg::executable<P>><<<1, 1>>>(memory);
}
template <class Ref, class Provided = stg::provided<0>> void check(int* memory) {
  using training = stg::differentiated<Ref, Provided, stg::required<>>;
  read_statements<Ref, digest<Ref>()><<<1, 1>>>(memory);
  launch<stg::inferred<Ref>>(memory);
  launch<typename training::forward>(memory);
  launch<typename training::gradient>(memory);
}

template void check<stg::ref<app::extents>>(int*);
template void check<stg::ref<app::several>, stg::provided<0, 1>>(int*);
template void check<stg::ref<app::gat<8, 16>>>(int*);

#define STG_CHECK(program) template void check<stg::ref<program>>(int*);
STG_EXAMPLES(STG_CHECK)
