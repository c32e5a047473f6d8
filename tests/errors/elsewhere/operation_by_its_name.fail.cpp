// Operations counted by a name.
// build error: stg: operations are words of stg::ir::opcode: counts_of\(p\)\[stg::ir::opcode::matmul\]
#include <stg/stg.hpp>

#include <stg/examine/counts.hpp>

auto products(const stg::ir::program& p) {
  return stg::examine::counts_of(p)["matmul"];  // <- here
}
