// What samples are called with.
//
// Every real input is trainable, so gradients are made for all of them by default, and f64, so that central differences
// mean something. Inputs named "positive…" are bound to numbers above 0. The inputs stay away from kinks.
#pragma once

#include <stg/dsl/symbol.hpp>  // vertex_feature, parameter, …

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
inline constexpr auto E = parameter<"E", f64, 6, 3>;  // more rows than edges sum by vertex
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

}  // namespace stg::samples
