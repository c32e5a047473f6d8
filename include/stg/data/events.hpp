// Reading lists of events: edges that have a time.
#pragma once

#include <stg/data/table.hpp>  // table_column, table_format

#include <cstdint>   // int64_t
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace stg {

/// Events in the order of time: event i goes from src[i] to dst[i]. Time has the unit of the file, seconds mostly.
/// `values` has one per event, as a rating is, or is empty.
struct event_list {
  std::vector<std::int64_t> src, dst;
  std::vector<double> time, values;
  /// One more than the largest vertex, 0 without events.
  std::int64_t vertices() const;
};

/// Where the columns are: by default those of SNAP's lists, `src dst time` between blanks.
struct event_format {
  table_format table{.separator = ' ', .header = false, .comment = '#'};
  table_column src = 0, dst = 1, time = 2;
  std::optional<table_column> value{};  ///< none: events have no values
};

/// Reads a list of events from text and sorts it by time; events of one time stay in the file's order. Errors are those
/// of `read_table`; and, naming the file and the event, counted from 0: a negative vertex, a time or value that is no
/// finite number.
///
///   auto messages = stg::read_events("CollegeMsg.txt");
///   auto trust = stg::read_events("soc-sign-bitcoinotc.csv",
///                                 {.table = {}, .src = 0, .dst = 1, .time = 3, .value = 2});
event_list read_events(const std::string& path, const event_format& format = {});

/// The same of a `.npy` file, (events, 3) or (events, 4): source, destination, time and value. Errors are those of
/// `read_npy_as`, and as above.
///
///   auto answers = stg::read_events_npy("sx_mathoverflow/events.npy");
event_list read_events_npy(const std::string& path);

/// Numbers the vertices that have an event from 0 on, in ascending order, and returns what each was called.
///
///   auto names = stg::renumber(messages);                  // names[0] is the lowest number in the file
std::vector<std::int64_t> renumber(event_list& events);

}  // namespace stg
