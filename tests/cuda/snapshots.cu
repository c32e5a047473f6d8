// A file that makes the steps of graph sequences on a GPU: that nvcc compiles it without a warning is the test.
#include <stg/snapshots_on_gpu.hpp>

int main() { return stg::gpu::installed_snapshots() == nullptr ? 1 : 0; }
