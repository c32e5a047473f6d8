// Readouts that do not lead to one set of graphs.
// build error: stg: batch_graphs takes readouts into one vertex set, which is that of the graphs
#include <stg/sampling/graphs_union.hpp>
#include <stg/stg.hpp>

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto ring = stg::vertex_set<"ring">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto sample = stg::vertex_set<"sample">;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline constexpr auto ring_of = stg::relation<"ring of", ring, sample>;
inline auto batch(std::span<const stg::graphs> all) { return stg::batch_graphs(all, part_of, ring_of); }  // <- here
