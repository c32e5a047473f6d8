// The kernels for AVX2.
#include "avx2.hpp"
#include "make_table.hpp"

namespace yardstick {

const table kernels_avx2 = make_table<avx2>();

}  // namespace yardstick
