// The offsets of graphs side by side that are gone at the end of the line.
// shown: stg: the union is gone with its offsets; give it a name first
#include <stg/sampling/graphs_union.hpp>
#include <stg/stg.hpp>

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto bond = stg::relation<"bond", atom, atom>;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline std::int64_t first(const std::vector<stg::graph>& all) {
  const auto offsets = stg::batch_graphs(all, bond, part_of).offsets(atom);  // <- here
  return offsets[1];
}
