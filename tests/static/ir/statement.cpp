// Statements: who reads the owner of an edge, and which products are sparse.
#include <stg/ir/statement.hpp>

namespace stg::ir {

static_assert(owner_gather(direction::in) == opcode::gather_dst && owner_gather(direction::out) == opcode::gather_src);
static_assert(neighbour_gather(direction::in) == opcode::gather_src &&
              neighbour_gather(direction::out) == opcode::gather_dst);
static_assert(owner_side(opcode::gather_dst) == direction::in && owner_side(opcode::gather_src) == direction::out);

constexpr bool is_sparse(opcode code) {
  statement s;
  s.code = code;
  return is_sparse_product(s);
}
static_assert(is_sparse(opcode::sparse_matmul) && is_sparse(opcode::sparse_reduced_matmul));
static_assert(!is_sparse(opcode::matmul) && !is_sparse(opcode::reduced_matmul));

}  // namespace stg::ir
