// Probes for AVX-512; src/CMakeLists.txt gives this file alone the flags.
#define STG_PROBE_ISA probe_avx512
#include "probe_kernels.hpp"  // table

namespace stg {
constinit const probe_table probe_table_avx512 = probe_avx512::table;
}  // namespace stg
