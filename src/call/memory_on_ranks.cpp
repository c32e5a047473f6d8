// Parts of ranks that do not run, for questions about the memory of their calls.
#include <stg/call/memory_on_ranks.hpp>

#include <stg/base/error.hpp>  // error

#include "asked_parts.hpp"  // asked_rank

namespace stg::detail {

void for_each_part(const cut& of, int ranks, cut_by by, const std::function<void(const distributed_graph&)>& body) {
  for (int rank = 0; rank < ranks; ++rank) {
    asked_rank here(rank, ranks);
    body(distributed_graph(of, here, by));
  }
}

void check_keep_on_ranks(const checkpoints& keep) {
  if (keep.within > 0)
    throw error(
        "peak_bytes of a part: checkpoints within a number of bytes, which ranks agree on as they run; give "
        "{.every = steps}");
}

}  // namespace stg::detail
