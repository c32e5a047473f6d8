// test: proof kernels 0, counted
// Cells as kernels against the interpreter, on graphs of every family: one that walks the edges both ways with weights
// of each step, and in the proof one whose state is a value of the graph and whose step has a scan of its own. As
// drafts, all of them.
#include "support/backend_check.hpp"  // check_sample
#include "support/cells.hpp"          // dcrnn, evolve_gcn_h

#include <string>  // string

namespace stg {
namespace {

template <const auto& Program> void check(const std::string& name) {
  for (const test::family& f : test::families()) test::check_sample<Program>(name, f.graph, f.name);
}

#if defined(STG_ON_DRAFT)
TEST(cells, run_as_the_oracle_says) {
  cells::for_each_cell([]<const auto & Program>(cells::cell<Program> c) { check<Program>(std::string(c.name)); });
}
#else
TEST(cells, of_weights_of_each_step_run_as_the_oracle_says) { check<cells::dcrnn>("dcrnn"); }
#if defined(STG_PROOF)
TEST(cells, of_evolving_weights_run_as_the_oracle_says) { check<cells::evolve_gcn_h>("evolve_gcn_h"); }
#endif
#endif

}  // namespace
}  // namespace stg
