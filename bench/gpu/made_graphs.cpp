// Graphs by name, and their files.
#include "made_graphs.hpp"

#include "../graphs.hpp"  // make
#include "on.hpp"         // on_device

#include <stg/base/error.hpp>      // error
#include <stg/data/npy.hpp>        // read_npy, write_npy
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t
#include <span>     // span

namespace device_bench {

namespace {

struct named_recipe {
  std::string name;
  graphs::recipe recipe;
};

/// Edges are both directions of `edges` and a loop per vertex. In a check on the host, a hundredth of the vertices.
std::vector<named_recipe> recipes() {
  std::vector<named_recipe> all = {
      {"rmat_200k",
       {.vertices = 200'000, .edges = 1'050'000, .uniform = 525'000, .quarter = {.57, .19, .19, .05}, .seed = 11}},
      {"rmat_1m",
       {.vertices = 1'000'000, .edges = 9'500'000, .uniform = 4'750'000, .quarter = {.57, .19, .19, .05}, .seed = 12}},
      {"rmat_50k", {.vertices = 50'000, .edges = 24'975'000, .uniform = 0, .quarter = {.5, .2, .2, .1}, .seed = 13}}};
  if (!on_device)
    for (named_recipe& r : all) {
      r.recipe.vertices /= 100;
      r.recipe.edges /= 1000;
      r.recipe.uniform /= 1000;
    }
  return all;
}

graphs::recipe recipe_of(const std::string& name) {
  for (const named_recipe& r : recipes())
    if (r.name == name) return r.recipe;
  throw stg::error("bench_gpu: there is no graph '" + name + "'");
}

}  // namespace

const std::vector<std::string>& graph_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> n;
    for (const named_recipe& r : recipes()) n.push_back(r.name);
    return n;
  }();
  return names;
}

stg::graph draw_graph(const std::string& name) { return graphs::make(recipe_of(name)); }

stg::graph drawn_graph(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path at = folder / name;
  if (folder.empty() || !std::filesystem::exists(at / "src.npy") || !std::filesystem::exists(at / "dst.npy"))
    return draw_graph(name);
  const auto src = stg::read_npy<std::int32_t>((at / "src.npy").string()),
             dst = stg::read_npy<std::int32_t>((at / "dst.npy").string());
  const auto ids = [](const stg::tensor<std::int32_t>& t) {
    return std::span<const std::int32_t>(t.data(), static_cast<std::size_t>(t.size()));
  };
  return stg::graph::from_edges(recipe_of(name).vertices, ids(src), ids(dst));
}

void write_edges(const std::filesystem::path& folder, const stg::graph& g) {
  std::filesystem::create_directories(folder);
  std::filesystem::remove(folder / "dst.npy");  // of another graph, perhaps: its end must not meet this one's beginning
  const stg::edge_list edges = g.edge_list();
  const auto save = [&](const char* file, const std::vector<std::int32_t>& ids) {
    const std::filesystem::path part = folder / (std::string(file) + ".part");  // its writer may be ended at any time
    stg::write_npy(part.string(), stg::tensor<std::int32_t>::from({g.edges()}, std::span<const std::int32_t>(ids)));
    std::filesystem::rename(part, folder / file);
  };
  save("src.npy", edges.src);
  save("dst.npy", edges.dst);
}

}  // namespace device_bench
