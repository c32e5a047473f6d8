// The rules that come with the library in constant evaluation.
#include "shipped.hpp"

namespace stg::examined {

static_assert(products_go_over_sums_both_ways());
static_assert(each_way_is_chosen_per_site());
static_assert(a_factor_leaves_a_sum_along_an_axis_that_it_lacks());
static_assert(a_factor_leaves_a_sum_over_edges_and_vertices());
static_assert(factors_are_summed_along_their_own_axes());
static_assert(what_is_repeated_is_read_as_it_was());
static_assert(a_sum_of_what_is_repeated_is_a_multiple());
static_assert(repeated_rows_are_multiplied_once());
static_assert(what_a_zero_makes_dead_is_left_out());
static_assert(zeros_that_are_given_back_are_written());
static_assert(zeros_are_known_in_steps());
static_assert(two_passes_are_rules());

}  // namespace stg::examined
