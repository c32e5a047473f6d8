// Walks, folds, visitors and copies of programs in constant evaluation.
#include "walks.hpp"

namespace stg::examined {

static_assert(statements_come_in_their_order());
static_assert(steps_come_after_the_program());
static_assert(each_statement_is_entered_and_left_once());
static_assert(what_is_not_entered_is_left_alone());
static_assert(unread_statements_are_not_walked());
static_assert(a_walk_is_linear_where_ways_are_not());
static_assert(a_fold_makes_one_of_the_operands_of_each());
static_assert(an_operation_goes_before_its_category_and_that_before_all_others());
static_assert(a_visitor_may_give_nothing());
static_assert(a_copy_that_changes_nothing_is_equal());
static_assert(statements_that_stand_twice_are_copied_twice());
static_assert(a_copy_is_what_the_function_writes());
static_assert(scopes_go_along());

}  // namespace stg::examined
