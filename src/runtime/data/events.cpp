// Lists of events: read from tables and arrays, sorted by time, renumbered.
#include "events_order.hpp"             // check_and_sort
#include "../graph/named_vertices.hpp"  // vertices_named
#include "../tensor/shortest_text.hpp"  // shortest_text

#include <stg/base/error.hpp>             // error
#include <stg/data/edge_list.hpp>         // renumber
#include <stg/data/events.hpp>            // read_events
#include <stg/data/npy.hpp>               // read_npy_as
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // is_sorted, lower_bound, sort, stable_sort, unique
#include <cmath>      // isfinite
#include <numeric>    // iota

namespace stg {

namespace {

using detail::shortest_text;

template <class T> void take_in_order(std::vector<T>& values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t i : order) sorted.push_back(values[i]);
  values.swap(sorted);
}

}  // namespace

void detail::check_and_sort(event_list& events, const std::string& path) {
  const auto fail = [&](std::size_t event, const char* what, const std::string& is, const char* expected) {
    throw error("events " + path + " event " + std::to_string(event) + " has " + what + " " + is + "; expected " +
                expected);
  };
  for (std::size_t e = 0; e < events.src.size(); ++e) {
    if (events.src[e] < 0) fail(e, "source", std::to_string(events.src[e]), "0 or more");
    if (events.dst[e] < 0) fail(e, "destination", std::to_string(events.dst[e]), "0 or more");
    if (!std::isfinite(events.time[e])) fail(e, "time", shortest_text(events.time[e]), "a finite number");
    if (!events.values.empty() && !std::isfinite(events.values[e]))
      fail(e, "value", shortest_text(events.values[e]), "a finite number");
  }
  if (std::is_sorted(events.time.begin(), events.time.end())) return;
  std::vector<std::size_t> order(events.time.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return events.time[a] < events.time[b]; });
  take_in_order(events.src, order);
  take_in_order(events.dst, order);
  take_in_order(events.time, order);
  take_in_order(events.values, order);
}

std::int64_t event_list::vertices() const { return detail::vertices_named(src, dst); }

event_list read_events(const std::string& path, const event_format& format) try {
  const text_table table = read_table(path, format.table);
  event_list events;
  if (table.rows() == 0) return events;
  events.src = table.integers(format.src);
  events.dst = table.integers(format.dst);
  events.time = table.numbers(format.time);
  if (format.value) events.values = table.numbers(*format.value);
  detail::check_and_sort(events, path);
  return events;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

event_list read_events_npy(const std::string& path) try {
  const auto rows = read_npy_as<double>(path);
  if (rows.rank() != 2 || (rows.shape()[1] != 3 && rows.shape()[1] != 4))
    throw error("events " + path + " has shape " + to_string(rows.shape()) + "; expected (events, 3) or (events, 4)");
  event_list events;
  constexpr double most = 9007199254740992.0;  // 2^53: integers up to it are doubles
  for (std::int64_t e = 0; e < rows.shape()[0]; ++e) {
    for (int end = 0; end < 2; ++end) {
      const double v = rows(e, end);
      if (!(v >= 0 && v <= most && v == std::floor(v)))
        throw error("events " + path + " event " + std::to_string(e) + " has " +
                    (end == 0 ? "source " : "destination ") + std::to_string(v) + "; expected an integer from 0 on");
      (end == 0 ? events.src : events.dst).push_back(static_cast<std::int64_t>(v));
    }
    events.time.push_back(rows(e, 2));
    if (rows.shape()[1] == 4) events.values.push_back(rows(e, 3));
  }
  detail::check_and_sort(events, path);
  return events;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace {

std::vector<std::int64_t> renumber_ends(std::vector<std::int64_t>& src, std::vector<std::int64_t>& dst) {
  std::vector<std::int64_t> names(src);
  names.insert(names.end(), dst.begin(), dst.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto number = [&](std::int64_t& v) { v = std::lower_bound(names.begin(), names.end(), v) - names.begin(); };
  for (std::int64_t& v : src) number(v);
  for (std::int64_t& v : dst) number(v);
  return names;
}

}  // namespace

std::vector<std::int64_t> renumber(event_list& events) try {
  return renumber_ends(events.src, events.dst);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
std::vector<std::int64_t> renumber(edge_list_text& edges) try {
  std::vector<std::int64_t> names = renumber_ends(edges.src, edges.dst);
  edges.least_vertices = 0;
  return names;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
