// Programs of float32 in float64, made while they run: for checks of gradients, and for whoever computes so.
#pragma once

#include <memory>  // unique_ptr

#include <stg/door/program.hpp>  // program, training

namespace stg::door {

/// The same program with float64 in the place of float32, among inputs, results and between. It is planned here, and
/// runs by the library's own kernels as a draft does, so nothing of it is compiled. Error for a program that draws
/// random numbers, whose masks would be others.
///
///   const auto exact = stg::door::in_float64(*layer);
///   const auto out = (*exact)({.plain = &graph}, {{"h", H}});  // of tensors of double
std::unique_ptr<program> in_float64(const program& of);
/// The same with gradients, for the same inputs.
std::unique_ptr<training> in_float64(const training& of);

}  // namespace stg::door
