// Writes the graphs of the benchmarks as .npy files, for programs in other languages: write_graphs FOLDER [NAME…]
#include "graphs.hpp"  // named, names

#include <stg/data/npy.hpp>  // write_npy

#include <cstdio>      // printf, fprintf
#include <exception>   // exception
#include <filesystem>  // create_directories

namespace {

/// FOLDER/NAME/src.npy and dst.npy, int32, (edges): edge i goes from src[i] to dst[i]; loops included.
void write(const std::filesystem::path& folder, const std::string& name, const stg::graph& g) {
  std::filesystem::create_directories(folder / name);
  const stg::edge_list edges = g.edge_list();
  const auto save = [&](const char* file, const std::vector<std::int32_t>& ids) {
    stg::write_npy((folder / name / file).string(),
                   stg::tensor<std::int32_t>::from({g.edges()}, std::span<const std::int32_t>(ids)));
  };
  save("src.npy", edges.src);
  save("dst.npy", edges.dst);
  std::printf("%s: %lld vertices, %lld edges\n", name.c_str(), static_cast<long long>(g.vertices()),
              static_cast<long long>(g.edges()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "write_graphs: write write_graphs FOLDER [NAME…]; without names all graphs are written\n");
    return 2;
  }
  try {
    const std::vector<std::string> asked(argv + 2, argv + argc);
    for (const std::string& name : asked.empty() ? graphs::names() : asked)
      if (const auto g = graphs::named(name)) write(argv[1], name, *g);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
