// The kernels for AVX-512.
#include "avx512.hpp"
#include "make_table.hpp"

namespace yardstick {

const table kernels_avx512 = make_table<avx512>();

}  // namespace yardstick
