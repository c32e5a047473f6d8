// stg::peak_bytes of a part of a cut graph: the memory of a call on one rank, before anything runs.
#pragma once

#include <cstdint>     // int64_t
#include <functional>  // function
#include <vector>      // vector

#include <stg/base/larger.hpp>                    // larger
#include <stg/call/explain.hpp>                   // peak_memory, peak_of
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph

namespace stg {

namespace detail {

/// Calls body with the part of each rank in turn, though there is none of them.
void for_each_part(const cut& of, int ranks, cut_by by, const std::function<void(const distributed_graph&)>& body);
/// Error for a limit of bytes, which ranks agree on as they run.
void check_keep_on_ranks(const checkpoints& keep);

}  // namespace detail

/// Bytes of memory that a call of F on a part takes: of own rows and the halo, and, where sweeps are cut by features,
/// of their columns of all rows. `tape.bytes()` and `step.bytes()` say the same afterwards. Beside it a rank has rooms
/// for messages, `shared_sweep::messages_by_features`. given: extents and checkpoints. The last
/// argument: where it runs, as of value_and_grad.
/// Errors: a missing extent, and checkpoints within a number of bytes, which ranks agree on when they run.
///
///   const stg::distributed_graph part(cut, ranks, stg::cut_by::features);
///   const auto bytes = stg::peak_bytes<loss>(part).training;
template <const auto& F, const auto&... Wrt, class Backend = default_backend>
peak_memory peak_bytes(const distributed_graph& part, const sizes& given = {}, const Backend& = {}) {
#include <stg/call/look_into.inc>
  if constexpr (!detail::is_right<ref<F>>) {
    return {};
  } else {
    detail::check_keep_on_ranks(given.keep);
    const std::vector<std::int64_t> extents = detail::extents_of<F>(given);
    detail::call_sizes n = detail::sizes_of(part, extents.data());
    n.keep = given.keep;
    return detail::peak_of<Backend, fixed_symbols<>, F, Wrt...>(n);
  }
}
/// The same of the rank that takes most, of so many, without any of them.
///
///   const auto bytes = stg::peak_bytes<loss>(cut, 4, stg::cut_by::features).training;
template <const auto& F, const auto&... Wrt, class Backend = default_backend>
peak_memory peak_bytes(const cut& of, int ranks, cut_by by = cut_by::rows, const sizes& given = {}) {
#include <stg/call/look_into.inc>
  peak_memory most;
  if constexpr (detail::is_right<ref<F>>)
    detail::for_each_part(of, ranks, by, [&](const distributed_graph& part) {
      const peak_memory mine = peak_bytes<F, Wrt...>(part, given);
      most = {larger(most.inference, mine.inference), larger(most.training, mine.training)};
    });
  return most;
}

}  // namespace stg
