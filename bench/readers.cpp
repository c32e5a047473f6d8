// How fast files are read, and how much memory that takes beside the arrays: readers FOLDER, where readers.py wrote
// them.
//
// One reader for each run, since the largest memory of a process is what counts: readers FOLDER
// stored|deflated|mtx|csv.
#include <stg/data/edge_list.hpp>  // read_edge_list
#include <stg/data/npz.hpp>        // read_npz

#include <cstdio>      // printf
#include <ctime>       // clock
#include <filesystem>  // file_size
#include <string>      // string

#include <sys/resource.h>  // getrusage

namespace {

double largest_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// read: returns the bytes of the arrays. text: bytes that are read, unpacked.
template <class Read> void measure(const char* what, double text, const Read& read) {
  const double before = largest_memory();
  const std::clock_t begin = std::clock();
  const double arrays = read();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;  // of the processor: one thread
  std::printf("%-12s %6.0f MB/s of %4.0f MB, memory %.2f of the arrays\n", what, text / seconds / 1e6, text / 1e6,
              (largest_memory() - before) / arrays);
}

double bytes_of(const stg::edge_list_text& e) {
  return static_cast<double>(8 * (e.src.size() + e.dst.size() + e.weights.size()));
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return std::puts("usage: readers FOLDER stored|deflated|mtx|csv"), 2;
  const std::string folder = words[1], which = words[2];
  const auto size = [&](const char* name) {
    return static_cast<double>(std::filesystem::file_size(folder + "/" + name));
  };
  if (which == "stored" || which == "deflated") {
    const auto file = stg::read_npz(folder + "/" + which + ".npz");
    measure(which.c_str(), size("stored.npz"), [&] { return static_cast<double>(file.array<float>("x").bytes()); });
  } else if (which == "mtx") {
    measure("mtx", size("edges.mtx"), [&] { return bytes_of(stg::read_edge_list(folder + "/edges.mtx")); });
  } else {
    measure("csv.gz", size("edges.csv"), [&] { return bytes_of(stg::read_edge_list(folder + "/edges.csv.gz")); });
  }
  return 0;
}
