// The module stg._programs: what neighbours' rows, whose widths a call brings, become.
#include "programs.hpp"

STG_PYTHON(_programs, m) {
  stg::package::add_aggregates(m);
  stg::package::add_gat(m);
  stg::package::add_gatv2(m);
  stg::package::add_transformer(m);
}
