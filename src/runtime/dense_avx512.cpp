// Dense products for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_DENSE_ISA dense_avx512
#include "dense_kernels.hpp"  // table

namespace stg {
constinit const dense_table dense_table_avx512 = dense_avx512::table;
}  // namespace stg
