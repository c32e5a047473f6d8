// Patterns, matches and rules in constant evaluation.
#include "rewrites.hpp"

namespace stg::examined {

static_assert(a_product_over_a_sum_is_distributed());
static_assert(operands_are_tried_in_both_orders());
static_assert(other_operands_keep_their_order());
static_assert(a_wildcard_is_one_value());
static_assert(constants_are_told_by_their_number());
static_assert(attributes_agree());
static_assert(patterns_are_lambdas_of_the_language());
static_assert(a_wildcard_is_limited_by_space());
static_assert(a_wildcard_is_limited_by_shape());
static_assert(a_wildcard_is_limited_by_type_and_operation());
static_assert(names_of_extents_are_wildcards());
static_assert(a_value_read_outside_is_refused());
static_assert(a_kept_value_is_computed_as_before());
static_assert(a_wildcard_inside_of_the_match_is_a_use_outside());
static_assert(matches_are_disjoint_and_in_order());
static_assert(another_order_is_taken_where_the_first_is_refused());
static_assert(sites_are_chosen());
static_assert(values_of_a_pattern_have_names());
static_assert(a_narrower_replacement_is_repeated());
static_assert(numbers_take_the_type_of_what_they_meet());
static_assert(names_and_scopes_of_the_result_stay());
static_assert(a_program_without_a_match_stays());
static_assert(steps_are_rewritten_too());
static_assert(a_plain_relation_is_any());
static_assert(a_relation_with_a_name_is_that());

}  // namespace stg::examined
