// A program for a GPU in a file that is not compiled as CUDA.
// build error: stg: this file has no kernels for GPUs; add it with stg_add_program\(target file\.cpp\) in CMake
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(v(x)));
};

auto layer = stg::compile<model>(stg::cuda());  // <- here
