// test: kernels 2, proof kernels all, counted
// Attention in single precision: one head of many widths, and several heads.
#include "support/widths.hpp"  // check_attention

namespace stg::test {

TEST(widths, attention_of_up_to_a_register_in_f32) { check_attention<f32>(one_register()); }
TEST(widths, attention_of_several_registers_in_f32) { check_attention<f32>(many_registers()); }
TEST(widths, heads_in_f32) {
  check_heads<f32, 3, 5>();
  check_heads<f32, 8, 8>();
  check_heads<f32, 16, 33>();
#if defined(STG_PROOF)
  check_heads<f32, 1, 1>();
  check_heads<f32, 1, 7>();
  check_heads<f32, 8, 1>();
  check_heads<f32, 4, 64>();
#endif
}

}  // namespace stg::test
