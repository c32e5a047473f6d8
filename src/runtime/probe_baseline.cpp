// Probes for the instruction set that the rest of the library is compiled for.
#define STG_PROBE_ISA probe_baseline
#include "probe_kernels.hpp"  // table

namespace stg {
constinit const probe_table probe_table_baseline = probe_baseline::table;
}  // namespace stg
