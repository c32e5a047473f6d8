// The graphs that are measured on, by name: drawn, or read where they have been drawn before.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <filesystem>  // path
#include <string>      // string
#include <vector>      // vector

namespace device_bench {

/// Power laws of 0.2 M / 2.3 M, 1 M / 20 M and 50 k / 50 M vertices / edges, both directions and the loops counted: the
/// first two half R-MAT, half uniform, the last R-MAT alone; in a check on the host all of them small.
const std::vector<std::string>& graph_names();

/// One of them, drawn: a minute for the largest, mostly of one core. Error for a name that is none of them.
stg::graph draw_graph(const std::string& name);

/// The same as folder/NAME has it, or drawn where that is not there: vertices are numbered alike, and edges too.
stg::graph drawn_graph(const std::filesystem::path& folder, const std::string& name);

/// folder/src.npy and dst.npy, int32, (edges): edge i goes from src[i] to dst[i]. Each is there whole or not at all.
void write_edges(const std::filesystem::path& folder, const stg::graph& g);

}  // namespace device_bench
