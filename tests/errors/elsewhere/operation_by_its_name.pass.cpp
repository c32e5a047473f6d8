// The twin of operation_by_its_name.fail.cpp.
#include <stg/stg.hpp>

#include <stg/examine/counts.hpp>

auto products(const stg::ir::program& p) { return stg::examine::counts_of(p)[stg::ir::opcode::matmul]; }
