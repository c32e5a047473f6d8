// Dense products for AVX2 and FMA; src/CMakeLists.txt gives this file alone the flags.
#define STG_DENSE_ISA dense_avx2
#include "dense_kernels.hpp"  // table

namespace stg {
constinit const dense_table dense_table_avx2 = dense_avx2::table;
}  // namespace stg
