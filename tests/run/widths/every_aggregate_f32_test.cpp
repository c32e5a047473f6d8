// test: proof kernels 2, counted
// Every aggregate in single precision: one program at every run-time extent, and programs of fixed width.
#include "support/widths.hpp"  // check_every_aggregate

namespace stg::test {

TEST(widths, every_aggregate_at_run_time_extents_in_f32) { check_every_aggregate_at_run_time<f32>(); }
#if defined(STG_PROOF)
TEST(widths, every_aggregate_of_up_to_a_register_in_f32) { check_every_aggregate<f32>(one_register()); }
TEST(widths, every_aggregate_of_several_registers_in_f32) { check_every_aggregate<f32>(many_registers()); }
#else  // half of the widths; the other scalar type has the others
TEST(widths, every_aggregate_in_f32) { check_every_aggregate<f32>(std::integer_sequence<int, 1, 16, 100>()); }
#endif

}  // namespace stg::test
