// Tags in constant evaluation.
#include "tags.hpp"

namespace stg::examined {

static_assert(tags_are_those_of_the_lambda());
static_assert(passes_carry_them());
static_assert(gradients_carry_those_of_the_values_they_know());
static_assert(one_value_of_two_has_the_tags_of_both());
static_assert(equality_does_not_look_at_them());
static_assert(they_go_into_the_program_that_is_traced());
static_assert(steps_carry_them());
static_assert(called_programs_take_them_along_when_inlined());
static_assert(parts_and_copies_take_them_along());
static_assert(an_axis_is_one_that_the_value_has());
static_assert(products_lead_on());
static_assert(heads_spread_through_attention());
static_assert(rows_of_edges_are_not_those_of_vertices());
static_assert(moves_along_axes_are_followed());
static_assert(steps_are_led_through());
static_assert(ignored_axes_lead_nowhere());

}  // namespace stg::examined
