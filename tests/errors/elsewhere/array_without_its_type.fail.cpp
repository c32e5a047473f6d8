// An array read without its type.
// build error: stg: NAME takes the type of the elements: stg::NAME<float>\("x\.npy"\)
// each NAME: read_npy read_npy_as map_npy
#include <stg/stg.hpp>

#include <stg/data/npy.hpp>

auto read() {
  return stg::NAME("x.npy");  // <- here
}
