// Draws a graph of the benchmark into FOLDER/NAME, while kernels are compiled: bench_gpu_graphs FOLDER NAME
#include "made_graphs.hpp"  // draw_graph, write_edges

#include <cstdio>     // fprintf
#include <exception>  // exception

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "bench_gpu_graphs: write bench_gpu_graphs FOLDER NAME\n");
    return 2;
  }
  try {
    device_bench::write_edges(std::filesystem::path(argv[1]) / argv[2], device_bench::draw_graph(argv[2]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gpu_graphs: %s\n", e.what());
    return 1;
  }
}
