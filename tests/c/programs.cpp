// The programs of a C library for tests.
#include <stg/c_library.hpp>  // STG_C_LIBRARY

#include "../python/programs.hpp"  // weighted, loss, of_papers, summed

using namespace stg_test;

STG_C_LIBRARY(stg_test_c, m) {
  m.program<weighted>("weighted", "Edge values in and out.");
  m.training<weighted, x, w>("weighted");
  m.loss<loss>("loss");
  m.program<of_papers>("of_papers");
  m.program<summed>("summed");
}
