// The twin of readouts_into_two_sets.fail.cpp.
#include <stg/sampling/graphs_union.hpp>
#include <stg/stg.hpp>

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto ring = stg::vertex_set<"ring">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline constexpr auto ring_of = stg::relation<"ring of", ring, molecule>;
inline auto batch(std::span<const stg::graphs> all) { return stg::batch_graphs(all, part_of, ring_of); }
