// Kernels over the thread-group interface as nvcc compiles them; groups.py reads the PTX. Never run: the emulator
// executes the same source (tests/emulator/groups_test.cpp).
#include <stg/codegen/cuda/group.hpp>  // run_kernel

#include "group_kernels.hpp"

using namespace group_kernels;

template <class Kernel> void launch(stg::gpu::grid grid, Kernel kernel) {
  stg::gpu::run_kernel<<<static_cast<unsigned>(grid.blocks), grid.threads, grid.shared_bytes>>>(kernel);
}
void launch_all(const float* x, const double* d, const int* n) {
  launch({1, 256, 0}, weighted_row_sum<8>{nullptr, nullptr, x, x, nullptr, 0});
  launch({1, 256, 0}, weighted_row_sum<32>{nullptr, nullptr, x, x, nullptr, 0});
  launch({1, 256, 1024}, everything<float>{x, nullptr, nullptr});
  launch({1, 256, 2048}, everything<double>{d, nullptr, nullptr});
  launch({1, 256, 1024}, everything<int>{n, nullptr, nullptr});
}
