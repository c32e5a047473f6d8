// test: kernels 1, proof kernels all, counted
// Weighted sums, means and maxima in single precision at widths around one and several registers.
#include "support/widths.hpp"  // check_aggregates

namespace stg::test {

TEST(widths, aggregates_of_up_to_a_register_in_f32) { check_aggregates<f32>(one_register()); }
TEST(widths, aggregates_of_several_registers_in_f32) { check_aggregates<f32>(many_registers()); }

}  // namespace stg::test
