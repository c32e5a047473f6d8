// The twin of batch_of_no_readout.fail.cpp.
#include <stg/sampling/graphs_union.hpp>
#include <stg/stg.hpp>

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto ring = stg::vertex_set<"ring">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto bond = stg::relation<"bond", atom, atom>;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline auto batch(std::span<const stg::graph> graphs) { return stg::batch_graphs(graphs, bond, part_of); }
