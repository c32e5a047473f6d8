// Owners of vertices: places in the order of blocks, of which each rank has a range.
#include <stg/distributed/vertex_owners.hpp>

#include <algorithm>  // upper_bound
#include <vector>     // vector

#include "../sampling/vertex_numbers.hpp"  // at
#include "cut_state.hpp"                   // check_ranks, cut_access

namespace stg {

struct vertex_owners::state {
  cut of;
  const detail::cut_set& set;
  communicator* ranks;
  std::uint64_t number = 0;
  std::vector<std::int64_t> first{};  // (ranks + 1): places of the first vertex of each
  std::vector<std::int32_t> place{};  // (vertices)
};

vertex_owners::vertex_owners(const cut& of, communicator& ranks) : vertex_owners(of, std::string_view(), ranks) {}
vertex_owners::vertex_owners(const cut& of, std::string_view set, communicator& ranks) {
  detail::check_ranks("vertex_owners", of, ranks);
  const auto& all = detail::cut_access::state_of(of);
  auto made = std::make_shared<state>(state{of, all.set_of(set), &ranks});
  made->number = set.empty() ? all.number : detail::mixed_with_parts(made->set.part_of.size(), made->set.part_of);
  for (int r = 0; r <= ranks.size(); ++r)
    made->first.push_back(
        made->set.block_offsets[detail::at(detail::first_block_of(of, detail::first_part_of(of, r, ranks.size())))]);
  made->place.resize(made->set.by_block.size());
  for (std::size_t p = 0; p < made->set.by_block.size(); ++p)
    made->place[detail::at(made->set.by_block[p])] = static_cast<std::int32_t>(p);
  state_ = std::move(made);
}

communicator& vertex_owners::ranks() const { return *state_->ranks; }
std::int64_t vertex_owners::all_vertices() const { return static_cast<std::int64_t>(state_->place.size()); }
std::uint64_t vertex_owners::number_of_cut() const { return state_->number; }

std::span<const std::int32_t> vertex_owners::own_vertices() const& {
  const auto mine = detail::at(ranks().rank());
  const std::int64_t first = state_->first[mine], last = state_->first[mine + 1];
  return std::span<const std::int32_t>(state_->set.by_block).subspan(detail::at(first), detail::at(last - first));
}

int vertex_owners::rank_of(std::int32_t vertex) const {
  const auto& first = state_->first;
  return static_cast<int>(std::upper_bound(first.begin() + 1, first.end(), state_->place[detail::at(vertex)]) -
                          first.begin()) -
         1;
}
std::int64_t vertex_owners::row_of(std::int32_t vertex) const {
  return state_->place[detail::at(vertex)] - state_->first[detail::at(rank_of(vertex))];
}

}  // namespace stg
