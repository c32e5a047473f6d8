// pyg_layers FILE RETURNED: every layer of pyg_weights.py's FILE in nn/, a line for each with its largest difference;
// RETURNED is the same weights, written by to_pyg.
#include "more_cells.hpp"       // compare_lstms
#include "norms_and_kinds.hpp"  // compare_norms
#include "round_trip.hpp"       // each_case

#include <cstdio>     // printf
#include <exception>  // exception

namespace stg::test {
void compare_all_convolutions(peer& p);
}  // namespace stg::test

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  stg::test::peer p(argv[1]);
  compare_all_convolutions(p);
  {
    using namespace stg::test::cells;
    compare_gconv_lstm(p);
    compare_lstms(p);
    compare_lrgcn(p);
    compare_grus(p);
    compare_gated_graphs(p);
    compare_mpnn(p);
  }
  {
    using namespace stg::test::norms;
    compare_norms(p);
    compare_readouts(p);
    compare_jumping(p);
    compare_kinds(p);
  }
  for (const auto& [name, apart] : p.differences) std::printf("%s\t%.1e\n", name.c_str(), apart);
  stg::safetensors_writer returned(argv[2]);
  stg::test::each_case([&](const std::string&, const auto& copy) { copy(p.file, returned); });
  returned.put_in_place();
} catch (const std::exception& problem) {
  std::printf("%s\n", problem.what());
  return 1;
}
