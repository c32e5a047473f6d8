// test: proof kernels 1, counted
// Every aggregate in double precision: one program at every run-time extent, and programs of fixed width.
#include "support/widths.hpp"  // check_every_aggregate

namespace stg::test {

TEST(widths, every_aggregate_at_run_time_extents_in_f64) { check_every_aggregate_at_run_time<f64>(); }
#if defined(STG_PROOF)
TEST(widths, every_aggregate_of_up_to_a_register_in_f64) { check_every_aggregate<f64>(one_register()); }
TEST(widths, every_aggregate_of_several_registers_in_f64) { check_every_aggregate<f64>(many_registers()); }
#else  // half of the widths; the other scalar type has the others
TEST(widths, every_aggregate_in_f64) { check_every_aggregate<f64>(std::integer_sequence<int, 7, 33, 300>()); }
#endif

}  // namespace stg::test
