// Probes for AVX2; src/CMakeLists.txt gives this file alone the flags.
#define STG_PROBE_ISA probe_avx2
#include "probe_kernels.hpp"  // table

namespace stg {
constinit const probe_table probe_table_avx2 = probe_avx2::table;
}  // namespace stg
