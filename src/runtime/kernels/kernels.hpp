// All that is compiled once per instruction set, in one file for each: they share one reading of the headers.
// Includers define STG_ISA, which is the namespace of their instruction set and the end of its tables' names.
#pragma once

#include "dense_kernels.hpp"      // dense::table
#include "draft_kernels.hpp"      // draft::table
#include "optimizer_kernels.hpp"  // optimizer::table
#include "probe_kernels.hpp"      // probe::table
#include "random_kernels.hpp"     // random::table
#include "sparse_kernels.hpp"     // sparse::table

#define STG_TABLE_OF(kind, isa) constinit const kind##_table kind##_table_##isa = isa::kind::table
#define STG_TABLE(kind, isa) STG_TABLE_OF(kind, isa)  // for STG_ISA to be replaced first

namespace stg {
STG_TABLE(dense, STG_ISA);
STG_TABLE(draft, STG_ISA);
STG_TABLE(optimizer, STG_ISA);
STG_TABLE(probe, STG_ISA);
STG_TABLE(random, STG_ISA);
STG_TABLE(sparse, STG_ISA);
}  // namespace stg
