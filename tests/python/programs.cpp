// The programs of a module for tests.
#include <stg/python.hpp>  // STG_PYTHON

#include "programs.hpp"  // attention, weighted, loss, of_papers, summed

using namespace stg_test;

STG_PYTHON(stg_test_programs, m) {
  m.program<attention>("attention", "Attention of eight heads.");
  m.training<attention, h, el, er>("attention");
  m.program<attention_f64>("attention_f64");
  m.training<attention_f64, h64, el64, er64>("attention_f64");
  m.program<weighted>("weighted");
  m.training<weighted, x, w>("weighted");
  m.loss<loss>("loss");
  m.program<looked_up>("looked_up");
  m.training<looked_up, table>("looked_up");
  m.program<of_papers>("of_papers");
  m.program<summed>("summed");
}
