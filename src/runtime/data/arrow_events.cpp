// Events of a table of Arrow.
#include <stg/arrow.hpp>

#include "events_order.hpp"  // check_and_sort

namespace stg {

namespace {

template <class T> std::vector<T> listed(const arrow_table& table, const std::string& name) {
  const tensor<T> t = table.columns_as<T>({name});  // (rows, 1): lists are refused
  return {t.begin(), t.end()};
}

}  // namespace

event_list events_of(const arrow_table& table, const arrow_event_columns& columns) {
  event_list events;
  events.src = listed<std::int64_t>(table, columns.src);
  events.dst = listed<std::int64_t>(table, columns.dst);
  events.time = listed<double>(table, columns.time);
  if (columns.value) events.values = listed<double>(table, *columns.value);
  detail::check_and_sort(events, "of a table of arrow");
  return events;
}

}  // namespace stg
