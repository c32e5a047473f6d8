// The tree of scopes, in constant evaluation.
#include "scopes.hpp"

namespace stg::examined {

static_assert(scopes_are_a_tree());
static_assert(values_are_members_of_their_innermost_scope());
static_assert(parameters_are_those_of_scopes_within());
static_assert(a_tree_is_flattened_to_a_depth());
static_assert(scopes_of_a_called_layer_are_those_of_its_calls());
static_assert(values_of_steps_stand_where_the_scan_does());

}  // namespace stg::examined
