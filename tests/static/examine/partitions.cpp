// Programs cut in parts in constant evaluation.
#include "partitions.hpp"

namespace stg::examined {

static_assert(a_program_is_one_part_or_several());
static_assert(what_goes_between_parts_has_a_name());
static_assert(sources_are_in_every_part_that_reads_them());
static_assert(scans_stay_with_their_results());
static_assert(gradients_of_their_own_stay_with_their_values());
static_assert(checks_and_names_go_along());
static_assert(extents_are_those_that_a_part_needs());

}  // namespace stg::examined
