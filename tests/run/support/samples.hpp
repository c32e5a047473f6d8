// Sample programs that together use every operation: the same ones go through the oracle and every backend.
//
// Every real input is trainable, so gradients are made for all of them by default, and f64, so that central differences
// mean something. Inputs named "positive…" are bound to numbers above 0. The inputs stay away from kinks.
#pragma once

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/dsl/scope.hpp>    // scope, named
#include <stg/dsl/trace.hpp>    // trace
#include <stg/gradient.hpp>     // gradient
#include <stg/op/list.hpp>      // all operations

#include <cstdint>      // int64_t
#include <string_view>  // string_view

namespace stg::samples {

inline constexpr auto x = trainable(vertex_feature<"x", f64, 3>);
inline constexpr auto y = trainable(vertex_feature<"y", f64, 3>);
inline constexpr auto positive = trainable(vertex_feature<"positive", f64, 3>);
inline constexpr auto s = trainable(vertex_feature<"s", f64>);
inline constexpr auto h = trainable(vertex_feature<"h", f64, 2, 3>);
inline constexpr auto wide = trainable(vertex_feature<"wide", f64, 2, 8>);
inline constexpr auto w = trainable(edge_feature<"w", f64>);
inline constexpr auto u = trainable(edge_feature<"u", f64, 3>);
inline constexpr auto a = parameter<"a", f64, 3>;
inline constexpr auto A = parameter<"A", f64, 2, 8>;
inline constexpr auto b = parameter<"b", f64, 2>;
inline constexpr auto W = parameter<"W", f64, 3, 2>;
inline constexpr auto V = parameter<"V", f64, 2, 3>;
inline constexpr auto relation = edge_feature<"relation", i32>;
inline constexpr auto R = parameter<"R", f64, 2, 3, 2>;  // a matrix per relation
inline constexpr auto Q = parameter<"Q", f64, 3, 2>;
inline constexpr auto B = parameter<"B", f64, 3, 3>;
inline constexpr auto eps = trainable(scalar<"eps", f64>);
inline constexpr auto positive_scale = trainable(scalar<"positive_scale", f64>);
inline constexpr auto label = vertex_feature<"label", i32>;
inline constexpr auto mask = vertex_feature<"mask", boolean>;
inline constexpr auto z = trainable(vertex_feature<"z", f64, stg::extent<"F">>);
inline constexpr auto zz = trainable(vertex_feature<"zz", f64, stg::extent<"G">, stg::extent<"F">>);
inline constexpr auto M = parameter<"M", f64, stg::extent<"F">, 2>;
inline constexpr auto sx = sparse_feature<"sx", f64, 3>;
inline constexpr auto sz = sparse_feature<"sz", f64, stg::extent<"F">>;

// ---- pointwise ----

inline constexpr auto arithmetic = [](auto v) { return (v(x) + 2.0 * v(y)) * v(s) / v(positive) - (-v(x)); };
inline constexpr auto activations = [](auto v) {
  return relu(v(x)) + leaky_relu(v(x), 0.2) * elu(v(y), 1.5) + sigmoid(v(y)) * stg::tanh(v(x));
};
inline constexpr auto elementary = [](auto v) {
  return stg::exp(v(x)) * stg::log(v(positive)) + stg::sqrt(v(positive)) * rsqrt(v(positive) + 1.0);
};
inline constexpr auto exponentials = [](auto v) {
  return stg::exp2(v(x)) * stg::log2(v(positive)) + stg::expm1(v(y)) * stg::log1p(v(positive)) +
         stg::cbrt(v(x)) * stg::erf(v(y));
};
inline constexpr auto angles = [](auto v) {
  auto within = 0.45 * v(y);
  return stg::sin(v(x)) * stg::cos(v(y)) + stg::tan(0.5 * v(x)) * stg::atan(v(y)) +
         stg::asin(within) * stg::acos(within) + stg::sinh(v(x)) * stg::cosh(v(y));
};
inline constexpr auto gates = [](auto v) {
  auto first = silu(v(x)) * gelu(v(y)) + gelu(v(x), approximate::tanh) * softplus(v(y), 2.0, 3.0);
  auto second = selu(v(x)) * hardtanh(v(y), -0.7, 0.9) + clamp(v(x), -0.8, v(positive)) * reciprocal(v(positive));
  return first + second + square(v(y)) * clamp(v(y), v(s), 1.1);
};
inline constexpr auto steps = [](auto v) {
  auto seen = detach(v(x));
  auto divisor = cast<f64>(v(label)) + 0.7;
  return (stg::floor(seen) + stg::ceil(seen) * v(y)) * v(x) + stg::round(detach(v(y))) * v(y) + sign(seen) * v(x) +
         stg::fmod(v(x), divisor) * stg::fmod(v(y), 0.3);
};
inline constexpr auto logic = [](auto v) {
  auto e = v.in_edges();
  auto both = (v(x) < v(y)) & v(mask), either = both | (v(s) > 0.5), one = either ^ (v(y) < 0.0);
  auto far = select((e.src(label) == e.dst(label)) | !e.src(mask), e.src(x), e.src(y));
  return select(both, v(x), v(y)) * select(either, v(y), v(s)) + select(one & !is_nan(v(x)), v(x), 0.0) + sum(far);
};
inline constexpr auto extremes = [](auto v) {
  return stg::min(v(x), v(y)) * stg::abs(v(y)) + stg::max(v(x), 0.3) + stg::max(v(y), v(s)) * stg::min(v(x), 0.1);
};
inline constexpr auto powers = [](auto v) {
  return stg::pow(v(positive), v(x)) + stg::pow(v(x), 3.0) * stg::pow(v(positive), 0.5);
};
inline constexpr auto choices = [](auto v) {
  auto largest = select(v(x) < v(y), v(x) * v(y), v(y));
  auto other = select(v(x) <= 0.5, largest, v(s)) + select(v(mask), v(x), 0.0);
  return other * select(v(label) == 1, 2.0 * v(x), v(y)) + select(v(label) != 0, v(y), v(x)) +
         select(v(x) >= v(s), v(s), v(y));
};
inline constexpr auto casts = [](auto v) {
  auto e = v.in_edges();
  auto same = cast<f64>(e.src(label) == e.dst(label));
  return cast<f64>(v(label)) * v(y) * cast<f64>(v(y) < 0.5) + sum(same * e.src(x)) +
         cast<f64>(cast<f32>(v(x)) < 0.0) * v(x);
};
inline constexpr auto used_twice = [](auto v) {
  auto square = v(x) * v(x);
  return outputs(square + square, square * v(x), square);
};

// ---- feature axes ----

inline constexpr auto feature_reductions = [](auto v) {
  auto per_head = sum(v(h), axis<1>) * mean(v(h), axis<-1>) + max(v(h), axis<1>);
  return outputs(per_head, v(h) - mean(v(h), axis<0>, keepdim), min(v(h), axis<0>) * sum(v(x), axis<0>));
};
inline constexpr auto feature_softmax = [](auto v) {
  return outputs(softmax(v(h), axis<1>) * v(h), log_softmax(v(x)), log_sum_exp(v(h), axis<0>, keepdim));
};
inline constexpr auto shapes = [](auto v) {
  auto joined = concat<axis<0>>(v(h), reshape<1, 3>(v(x) * v(y)));
  auto part = slice<1, 3>(joined, axis<0>) * slice<0, 1>(joined, axis<0>) * slice<2, 3>(v(h));
  return reshape<6>(part) + concat<axis<0>>(v(x), v(y)) * v(s);
};
inline constexpr auto broadcasting = [](auto v) {
  auto outer = reshape<3, 1>(v(x)) * reshape<1, 3>(v(y));
  return sum(outer * outer, axis<0>) + v(x) * v(a);
};
inline constexpr auto runtime_extents = [](auto v) {
  auto e = v.in_edges();
  auto near = sum(e.src(z) * e(w));
  auto both = concat<axis<0>>(near, v(z));
  return outputs(mean(both * both, axis<0>), matmul(stg::tanh(v(z)), M), sum(v(zz) * v(z), axis<0>),
                 softmax(v(zz), axis<1>) * v(zz), slice<0, 2>(v(z)) * v(b));
};

// ---- edges ----

inline constexpr auto sums = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return sum(e.src(x) * e.dst(y) * e(w)) + sum(o.dst(x) * o(u)) * v(y);
};
inline constexpr auto means = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return mean(e.src(x) * e(u)) + mean(o.dst(y) * o(w)) * mean(e.src(s));
};
inline constexpr auto maxima = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return max(e.src(x) + e(u)) + min(e.src(y) * e(w)) * v(x) + max(o.dst(y) * o(u)) + min(o.dst(x) - o(u));
};
inline constexpr auto factors = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return prod(e.src(x) + 0.3 * e(w)) * v(y) + prod(o(u)) +
         sum(e.src(prod(e.src(wide))) * v(A), axis<1>, keepdim) * v(s);
};
inline constexpr auto spreads = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return outputs(var(e.src(x) * e(w)) + stddev(o(u)) * v(x), mean(e.src(y)) + var(e.src(y)) * stddev(e.src(y)),
                 var(o.dst(wide)), argmax(e.src(x)), argmin(o(u)), count<f64>(e(u) > 0.2) * v(y));
};
inline constexpr auto edge_products = [](auto v) {  // an edge's own network, an edge's view of both ends, NNConv
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto hidden = stg::tanh(matmul(e(u), W) + v(b));
  auto ends = concat<axis<0>>(e.dst(x), e.src(x) - e.dst(x));
  auto view = relu(matmul(ends, concat<axis<0>>(v(W), 0.5 * v(W))));
  return outputs(sum(matmul(hidden, V) * e.src(y)), max(view) + sum(matmul(e(w) * e(u), W)), matmul(o(u) * o(u), W),
                 sum(matmul(e.src(y), reshape<3, 1>(e(u)) * reshape<1, 3>(v(a)))));
};
inline constexpr auto relations = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto near = sum(matmul(e.src(x), R[e(relation)]) + Q[e(relation)] * e(w));
  return outputs(near * transpose<0, 1>(v(h))[v(label)], sum(e(w) * Q[v(label)]) * Q[v(label)] + sum(Q[o(relation)]),
                 sum(transpose<1, 2>(v(R))[e(relation)] * e.src(h)[e(relation)]));
};
inline constexpr auto slopes = [](auto v) {  // as gradient penalties are
  auto e = v.in_edges();
  auto near = sum(softmax(e.src(s) * e(w)) * e.src(v(x) * v(y))) + var(e.src(x) * e(w));
  auto total = sum(sum(stg::tanh(matmul(near, W)) * v(b), axis<0>), all_vertices);
  return outputs(square(gradient(total, v(x))) * v(y), gradient(total, v(W)), gradient(total, e(w)) * e(w));
};
inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto score = leaky_relu(sum(e.src(h), axis<1>, keepdim) + sum(v(h) * v(a), axis<1>, keepdim), 0.2);
  return sum(softmax(score) * e.src(h));
};
inline constexpr auto dropped_attention = [](auto v) {
  auto e = v.in_edges();
  auto heads = softmax(sum(e.src(h), axis<1>, keepdim) * v(s));
  auto single = softmax(e(w) * v(s));
  return outputs(sum(dropout(heads, 0.5) * e.src(h)), sum(dropout(single, 0.25) * e.src(x)), sum(single * e.src(y)));
};
inline constexpr auto bilinear_attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(sum(matmul(v(x), B) * e.src(y), axis<0>)) * e.src(x));
};
inline constexpr auto out_attention = [](auto v) {
  auto o = v.out_edges();
  return sum(softmax(o.dst(x) * o(w)) * o.dst(y));
};
inline constexpr auto scored_pairs = [](auto v) {  // as GATv2
  auto e = v.in_edges();
  auto pair = leaky_relu(e.src(wide) + v(wide), 0.2);
  return sum(softmax(sum(pair * v(A), axis<1>, keepdim)) * e.src(wide));
};
inline constexpr auto rows_of_rows = [](auto v) {  // values per edge that are used twice, made of each other
  auto e = v.in_edges();
  auto first = e.src(wide) + v(wide);
  auto second = stg::tanh(first);
  return outputs(sum(stg::exp(e.src(s) + v(s)) * second), sum(second * first));
};
inline constexpr auto soft_maximum = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto in = select(v.template in_degree<f64>() > 0.0, log_sum_exp(e.src(x) * e(w)), 0.0);
  auto out = select(v.template out_degree<f64>() > 0.0, log_sum_exp(o(u) + v(x)), 0.0);
  return in * out;
};
inline constexpr auto two_hops = [](auto v) {
  auto e = v.in_edges();
  auto once = stg::tanh(sum(e.src(x)) + v(x));
  auto twice = sum(e.src(once) * e(w)) * v(y);
  return outputs(sum(v.out_edges().dst(twice)), once);
};
inline constexpr auto edge_output = [](auto v) {
  auto e = v.in_edges();
  return outputs(e.src(x) * v(y) + e(w), e(u) * e(u), sum(e.dst(x) * e(u), axis<0>));
};
inline constexpr auto edge_features = [](auto v) {
  auto e = v.in_edges();
  auto joined = concat<axis<0>>(e.src(x), e(u));
  auto part = slice<2, 5>(joined) * slice<0, 3>(joined);
  return sum(softmax(part, axis<0>) * max(joined, axis<0>) + reshape<3>(e.src(y)));
};
inline constexpr auto parameters_on_edges = [](auto v) {
  auto e = v.in_edges();
  auto message = relu(e.src(x) * a + e(u) * eps);
  return sum(message * stg::exp(v(a)));
};
inline constexpr auto degrees = [](auto v) {
  auto scale = rsqrt(v.template in_degree<f64>() + v.template out_degree<f64>() + 1.0);
  return sum(v.in_edges().src(v(x) * scale)) * scale;
};

// ---- products, the whole graph, losses ----

inline constexpr auto products = [](auto v) {
  auto hidden = relu(linear(v(x), W, b));
  return outputs(matmul(hidden * hidden, V) + v(y), matmul(v(h), W));
};
inline constexpr auto sparse_products = [](auto v) {
  auto hidden = matmul(dropout(v(sx), 0.5), W);  // (2)
  auto scaled = matmul(v(s) * dropout(2.0 * v(sx), 0.25) * v(eps), W);
  return outputs(hidden * stg::tanh(linear(v(sx), W, b)), sum(v.in_edges().src(scaled)), matmul(v(sz), M) + scaled);
};
inline constexpr auto convolution = [](auto v) {
  auto e = v.in_edges();
  auto scale = rsqrt(stg::max(v.template in_degree<f64>(), 1.0));
  auto layer = [&](auto in, auto weights) { return sum(e.src(matmul(in, weights) * scale)) * scale; };
  return scope<"second">(
      v, [&](auto, auto in) { return layer(in, V); }, named<"hidden">(relu(layer(v(x), W) + b)));
};
inline constexpr auto whole_graph = [](auto v) {
  auto centred = v(x) - mean(v(x), all_vertices);
  auto variance = mean(centred * centred, all_vertices);
  return outputs(centred * rsqrt(variance + 0.1), max(v(x), all_vertices) * sum(v(y), all_vertices),
                 min(v(y), all_vertices));
};
inline constexpr auto graph_arithmetic = [](auto v) {
  auto scale = v(a) * v(a) * positive_scale + stg::exp(v(eps));
  auto head = sum(v(W) * reshape<1, 2>(v(b)), axis<1>) * scale;
  return outputs(v(x) * head, sum(scale, axis<0>), reshape<6>(v(W)) * v(eps));
};
inline constexpr auto classification = [](auto v) {
  return cross_entropy(concat<axis<0>>(v(x), matmul(v(y), W)), v(label), v(mask));
};
inline constexpr auto regression = [](auto v) { return outputs(mse(v(x) * v(s), v(y)), mse(v(s), v(s) * v(s))); };
inline constexpr auto random_masks = [](auto v) {
  auto e = v.in_edges();
  return outputs(dropout(v(x), 0.5) * v(y), sum(dropout(e.src(x) * e(w), 0.25)), dropout(v(h), 0.9),
                 sum(dropout(e.src(wide), 0.5)));
};
inline constexpr auto modes = [](auto v) {
  return training(v(x) * v(y), v(y) - 1.0) * v(positive) + training(v(s), 2.0) + training(sum(v(a), axis<0>), v(s));
};
inline constexpr auto no_edges = [](auto v) { return v(eps) * v(x); };

// ---- what only gradients and passes write: the language has no words for these ----

/// A statement with an axis and an attribute.
template <class S, class Sh, scalar_type T>
constexpr auto written(tracer* t, ir::opcode code, std::int64_t attribute, int axis, ir::value_id first,
                       ir::value_id second = ir::no_value) {
  ir::statement of = stg::detail::statement_of<S, Sh, T>(*t, code, first, second);
  of.attribute = attribute;
  of.axis = axis;
  return stg::detail::emit_with<S, Sh, T>(t, of);
}
inline constexpr auto padded = [](auto v) {
  auto e = v.in_edges();
  auto vertex = written<space::vertex, stg::shape<4, 3>, f64>(v.trace, ir::opcode::pad, 1, 0, v(h).id);
  auto edge = written<space::in_edge, stg::shape<5>, f64>(v.trace, ir::opcode::pad, 2, 0, e(u).id);
  return outputs(vertex * v(x), sum(edge * edge));
};
inline constexpr auto placed = [](auto v) {
  auto entries = written<space::vertex, stg::shape<5, 3>, f64>(v.trace, ir::opcode::put, 5, 0, v(x).id, v(label).id);
  return entries * v(y);
};
inline constexpr auto repeated = [](auto v) {
  auto graph = written<space::vertex, stg::shape<2, 3>, f64>(v.trace, ir::opcode::broadcast_to, 0, 0, v(a).id);
  auto vertex = written<space::vertex, stg::shape<2, 3>, f64>(v.trace, ir::opcode::broadcast_to, 0, 0, v(x).id);
  return outputs(graph * v(h), vertex * vertex, graph);
};
inline constexpr auto transposed_products = [](auto v) {
  auto weights =
      written<space::graph, stg::shape<3, 3>, f64>(v.trace, ir::opcode::reduced_matmul, 0, 0, v(x).id, v(y).id);
  auto heads =
      written<space::graph, stg::shape<3, 3>, f64>(v.trace, ir::opcode::reduced_matmul, 0, 0, v(h).id, v(h).id);
  auto back = written<space::vertex, stg::shape<2>, f64>(v.trace, ir::opcode::matmul, 1, 0, v(x).id, v(V).id);
  return outputs(matmul(v(x), weights), heads * weights, back);
};
inline constexpr auto transposed_sparse_products = [](auto v) {
  auto dropped = dropout(v(sx), 0.5);
  auto all = stg::detail::constant<f64>(v.trace, 1);
  auto code = ir::opcode::sparse_reduced_matmul;
  auto weights =
      stg::detail::emit<space::graph, stg::shape<3, 3>, f64>(v.trace, code, dropped.id, v(y).id, dropped.mask);
  auto other = stg::detail::emit<space::graph, stg::shape<3, 3>, f64>(v.trace, code, v(sx).id, v(x).id, all.id);
  return outputs(weights * other, matmul(v(x), other));
};
inline constexpr auto indices = [](auto v) {
  auto e = v.in_edges();
  auto vertex = stg::detail::emit<space::vertex, stg::shape<>, i32>(v.trace, ir::opcode::vertex_index);
  auto edge = stg::detail::emit<space::in_edge, stg::shape<>, i32>(v.trace, ir::opcode::edge_index);
  auto first = written<space::vertex, stg::shape<3>, i32>(v.trace, ir::opcode::first_max_edge, 0, 0, e.src(x).id);
  auto loop = select(e.src(vertex) == v(vertex), e.src(x), 0.0);
  auto largest = select(edge == first, e.src(x), 0.0);
  return outputs(sum(largest) * cast<f64>(vertex), sum(loop), first, vertex);
};

/// One sample: its program as a lambda at namespace scope, which is what compile<…>() takes.
template <const auto& Program, int Line, bool CompiledAlways = true> struct sample {
  std::string_view name;
  static constexpr const auto& program = Program;
  static constexpr int line = Line;  // of the list, tells samples apart, so that a test file can take its share of them
  static constexpr bool compiled_always = CompiledAlways;
};

/// Calls f(sample<lambda>{name}) for every sample. As kernels, those called further are for the proof alone: what they
/// are made of the others hold too, every operation per vertex, edge and graph, which autodiff_test looks at.
template <class F> void for_each_sample(F&& f) {
  constexpr int list = __LINE__;
#define STG_SAMPLE(word) f(sample<word, __LINE__ - list>{#word});
#define STG_FURTHER_SAMPLE(word) f(sample<word, __LINE__ - list, false>{#word});
  STG_FURTHER_SAMPLE(arithmetic)
  STG_SAMPLE(activations)
  STG_SAMPLE(elementary)
  STG_SAMPLE(extremes)
  STG_SAMPLE(powers)
  STG_SAMPLE(choices)
  STG_FURTHER_SAMPLE(casts)
  STG_FURTHER_SAMPLE(used_twice)
  STG_SAMPLE(feature_reductions)
  STG_FURTHER_SAMPLE(feature_softmax)
  STG_FURTHER_SAMPLE(shapes)
  STG_FURTHER_SAMPLE(broadcasting)
  STG_SAMPLE(runtime_extents)
  STG_FURTHER_SAMPLE(sums)
  STG_FURTHER_SAMPLE(means)
  STG_SAMPLE(maxima)
  STG_SAMPLE(attention)
  STG_FURTHER_SAMPLE(dropped_attention)
  STG_FURTHER_SAMPLE(out_attention)
  STG_FURTHER_SAMPLE(bilinear_attention)
  STG_FURTHER_SAMPLE(soft_maximum)
  STG_SAMPLE(two_hops)
  STG_FURTHER_SAMPLE(edge_output)
  STG_SAMPLE(edge_features)
  STG_SAMPLE(parameters_on_edges)
  STG_FURTHER_SAMPLE(degrees)
  STG_FURTHER_SAMPLE(products)
  STG_SAMPLE(sparse_products)
  STG_FURTHER_SAMPLE(convolution)
  STG_SAMPLE(whole_graph)
  STG_FURTHER_SAMPLE(graph_arithmetic)
  STG_SAMPLE(classification)
  STG_FURTHER_SAMPLE(regression)
  STG_SAMPLE(random_masks)
  STG_FURTHER_SAMPLE(no_edges)
  STG_SAMPLE(padded)
  STG_SAMPLE(placed)
  STG_SAMPLE(repeated)
  STG_SAMPLE(transposed_products)
  STG_SAMPLE(transposed_sparse_products)
  STG_SAMPLE(indices)
  STG_SAMPLE(exponentials)
  STG_SAMPLE(angles)
  STG_FURTHER_SAMPLE(gates)
  STG_SAMPLE(steps)
  STG_FURTHER_SAMPLE(logic)
  STG_FURTHER_SAMPLE(scored_pairs)
  STG_FURTHER_SAMPLE(rows_of_rows)
  STG_SAMPLE(modes)
  STG_SAMPLE(factors)
  STG_SAMPLE(spreads)
  STG_SAMPLE(edge_products)
  STG_SAMPLE(relations)
  STG_FURTHER_SAMPLE(slopes)
#undef STG_SAMPLE
#undef STG_FURTHER_SAMPLE
}

}  // namespace stg::samples
