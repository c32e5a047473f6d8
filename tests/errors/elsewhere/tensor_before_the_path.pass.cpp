// The twin of tensor_before_the_path.fail.cpp.
#include <stg/stg.hpp>

#include <stg/data/npy.hpp>

void write(const stg::tensor<float>& X) { stg::write_npy("x.npy", X); }
