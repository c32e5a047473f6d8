// A tensor written before its path.
// build error: stg: write_npy takes the path, then the tensor: write_npy\("x\.npy", X\)
#include <stg/stg.hpp>

#include <stg/data/npy.hpp>

void write(const stg::tensor<float>& X) {
  stg::write_npy(X, "x.npy");  // <- here
}
