// The twin of array_without_its_type.fail.cpp.
#include <stg/stg.hpp>

#include <stg/data/npy.hpp>

auto read() { return stg::NAME<float>("x.npy"); }
