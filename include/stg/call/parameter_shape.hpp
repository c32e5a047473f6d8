// Shapes of parameters from the sizes that a user gives: compiled once, in the library, for all programs.
#pragma once

#include <initializer_list>  // initializer_list

#include <stg/ir/program.hpp>          // polynomial, shape
#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/sizes.hpp>       // extent_size

namespace stg::detail {

/// The shape of a parameter, of whose run-time extents the sizes are given; steps, where it has a value for each,
/// first.
dimensions parameter_shape(const ir::statement& parameter, const ir::polynomial* extents,
                           std::initializer_list<extent_size> sizes);
/// Error when a size is less than 1; of a number of steps, less than 0.
void check_size(const extent_size& given, bool counts_steps);

}  // namespace stg::detail
