// Index forms of values in constant evaluation.
#include "indices.hpp"

namespace stg::examined {

static_assert(a_sum_over_edges_is_one_over_neighbours());
static_assert(attention_is_its_equations());
static_assert(one_statement_reads_its_operands_by_name());
static_assert(moving_along_axes_is_arithmetic());
static_assert(parentheses_are_where_they_are_needed());
static_assert(signs_and_remainders_are_not_misread());
static_assert(numbers_read_back_as_they_are());
static_assert(a_division_of_integers_goes_towards_zero());
static_assert(ways_are_cut_where_they_meet());
static_assert(ways_that_only_move_are_cut_too());
static_assert(what_no_output_needs_has_a_form());
static_assert(a_value_with_its_own_gradient_is_what_it_is());
static_assert(kinds_are_named());
static_assert(letters_that_mean_something_are_escaped());

}  // namespace stg::examined
