// Events in the order of time.
#pragma once

#include <stg/data/events.hpp>  // event_list

#include <string>  // string

namespace stg::detail {

/// Sorts events by time, those of one time as they are. Errors: a negative vertex, a time or value that is not finite.
void check_and_sort(event_list& events, const std::string& path);

}  // namespace stg::detail
