// Values found by what they are called, in constant evaluation.
#include "finding.hpp"

namespace stg::examined {

static_assert(letters_are_themselves());
static_assert(sets_are_of_letters());
static_assert(pieces_are_repeated());
static_assert(alternatives_are_of_all_that_stands_there());
static_assert(values_are_found_by_scope_and_operation());
static_assert(values_are_found_by_their_names());
static_assert(values_are_found_in_steps());

}  // namespace stg::examined
