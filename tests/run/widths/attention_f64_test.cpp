// test: proof kernels 0, on each, counted
// Attention in double precision: one head of many widths, and several heads.
#include "support/widths.hpp"  // check_attention

namespace stg::test {

TEST(widths, attention_of_up_to_a_register_in_f64) { check_attention<f64>(one_register()); }
TEST(widths, attention_of_several_registers_in_f64) { check_attention<f64>(many_registers()); }
TEST(widths, heads_in_f64) {
  check_heads<f64, 3, 5>();
  check_heads<f64, 8, 8>();
  check_heads<f64, 16, 33>();
#if defined(STG_PROOF)
  check_heads<f64, 1, 1>();
  check_heads<f64, 1, 7>();
  check_heads<f64, 8, 1>();
  check_heads<f64, 4, 64>();
#endif
}

}  // namespace stg::test
