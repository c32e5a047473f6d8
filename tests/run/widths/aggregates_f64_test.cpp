// test: proof kernels 1, on each, counted
// Weighted sums, means and maxima in double precision at widths around one and several registers.
#include "support/widths.hpp"  // check_aggregates

namespace stg::test {

TEST(widths, aggregates_of_up_to_a_register_in_f64) { check_aggregates<f64>(one_register()); }
TEST(widths, aggregates_of_several_registers_in_f64) { check_aggregates<f64>(many_registers()); }

}  // namespace stg::test
