// Questions about programs in constant evaluation.
#include "questions.hpp"

namespace stg::examined {

static_assert(operands_are_read_in_order_and_as_often_as_they_stand());
static_assert(users_are_found_with_and_without_multiplicity());
static_assert(all_users_are_found_through_any_number_of_steps());
static_assert(dependencies_are_what_a_value_is_made_of());
static_assert(an_output_needs_inputs_and_extents());
static_assert(steps_of_scans_need_what_their_results_need());
static_assert(a_gradient_of_its_own_is_not_needed());
static_assert(values_in_memory_are_inputs_outputs_and_what_other_rows_read());
static_assert(mpms_stores_what_joins_and_is_shared());
static_assert(operations_are_counted_with_and_without_duplicates());
static_assert(calls_are_counted());
static_assert(hashes_go_with_equality());
static_assert(values_are_equal_wherever_they_stand());
static_assert(gradients_of_their_own_are_compared());
static_assert(kinds_are_compared_by_their_names());
static_assert(steps_have_one_hash_whatever_is_around());
static_assert(a_chain_with_many_ways_is_compared_and_hashed_once());
static_assert(names_and_scopes_do_not_matter());
static_assert(steps_are_compared_too());

}  // namespace stg::examined
