// The twin of offsets_of_a_union.fail.cpp.
#include <stg/sampling/graphs_union.hpp>
#include <stg/stg.hpp>

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto bond = stg::relation<"bond", atom, atom>;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline std::int64_t first(const std::vector<stg::graph>& all) {
  const auto side_by_side = stg::batch_graphs(all, bond, part_of);
  const auto offsets = side_by_side.offsets(atom);
  return offsets[1];
}
