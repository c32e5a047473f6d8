// What examines programs, at run time: the bodies that tests/static/examine/ asserts, errors in words, and the time
// that large programs take.
#include "../static/examine/walks.hpp"  // statements_come_in_their_order, …

#include "expect_error.hpp"  // expect_error

#include <gtest/gtest.h>  // TEST

namespace stg::examined {
namespace {

TEST(walks, come_to_every_statement_once) {
  EXPECT_TRUE(statements_come_in_their_order());
  EXPECT_TRUE(steps_come_after_the_program());
  EXPECT_TRUE(each_statement_is_entered_and_left_once());
  EXPECT_TRUE(what_is_not_entered_is_left_alone());
  EXPECT_TRUE(unread_statements_are_not_walked());
  EXPECT_TRUE(a_walk_is_linear_where_ways_are_not());
  EXPECT_TRUE(a_fold_makes_one_of_the_operands_of_each());
}

TEST(visitors, name_what_they_do_not_handle) {
  EXPECT_TRUE(an_operation_goes_before_its_category_and_that_before_all_others());
  EXPECT_TRUE(a_visitor_may_give_nothing());
  const ir::program p = canonical(attention);
  const examine::visitor sums{[](op::add, node) { return 1; }};
  const node product{&p, first_of(p, ir::opcode::matmul)};
  EXPECT_EQ(examine::visit<int>(sums, node{&p, first_of(p, ir::opcode::add)}), 1);
  EXPECT_THROW(examine::visit<int>(sums, product), examine::operation_is_not_handled);
  test::expect_error([&] { examine::visit<int>(sums, product); },
                     {"a visitor does not handle matmul; add a function for it, or one that takes any_other"});
}

TEST(walks, begin_at_a_value_of_the_program) {
  const ir::program p = chain(1);
  EXPECT_THROW(examine::topological_order(p, {7}), examine::value_is_unknown);
  test::expect_error([&] { examine::topological_order(p, {7}); },
                     {"value %7 is not in the program, which has values %0 to %5"});
}

TEST(copies, are_what_a_function_makes_of_each_statement) {
  EXPECT_TRUE(a_copy_that_changes_nothing_is_equal());
  EXPECT_TRUE(statements_that_stand_twice_are_copied_twice());
  EXPECT_TRUE(a_copy_is_what_the_function_writes());
  EXPECT_TRUE(scopes_go_along());
}

}  // namespace
}  // namespace stg::examined
