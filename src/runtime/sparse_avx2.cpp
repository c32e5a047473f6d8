// Sparse products for AVX2 and FMA; src/CMakeLists.txt gives this file alone the flags.
#define STG_SPARSE_ISA sparse_avx2
#include "sparse_kernels.hpp"  // table

namespace stg {
constinit const sparse_table sparse_table_avx2 = sparse_avx2::table;
}  // namespace stg
