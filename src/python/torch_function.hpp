// PyTorch's autograd over programs.
#pragma once

#include <nanobind/nanobind.h>  // object, handle, kwargs

namespace stg::python {

/// Whether a tensor of PyTorch among the inputs requires a gradient, and gradients are on.
bool wants_gradients(const nanobind::kwargs& inputs);
/// A call of a program with training whose results have a grad_fn.
nanobind::object torch_function(nanobind::handle program, nanobind::handle graph, const nanobind::kwargs& inputs);

}  // namespace stg::python
