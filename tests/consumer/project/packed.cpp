// Reads packed files: an archive that it writes, and a text that gzip packed.
#include <stg/data/edge_list.hpp>  // read_edge_list
#include <stg/data/npz.hpp>        // read_npz, write_npz

#include <cstdio>  // printf

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const char *archive = arguments[1], *edges = arguments[2];  // to be written; to be read
  stg::write_npz(archive, {{"x", stg::tensor<float>::full({3, 2}, 0.5f)}}, true);
  const auto x = stg::read_npz(archive).array<float>("x");  // (3, 2)
  const auto read = stg::read_edge_list(edges);
  std::printf("%lld numbers, %zu edges\n", static_cast<long long>(x.size()), read.src.size());
  return x.size() == 6 && x(2, 1) == 0.5f && read.src.size() == 3 ? 0 : 1;
}
