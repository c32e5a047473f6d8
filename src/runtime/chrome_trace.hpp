// The trace format of Chrome, which ui.perfetto.dev and chrome://tracing show.
#pragma once

#include <cstdint>  // int64_t
#include <cstdio>   // snprintf
#include <set>      // set
#include <string>   // string

#include "data/json_text.hpp"  // json_text

namespace stg::detail {

/// The text of a file, line by line. Times are nanoseconds of any clock.
class chrome_trace {
 public:
  /// What ran in a row from a time on. args: a JSON object, or nothing. A row is named when its first line comes.
  void add(int row, const std::string& row_name, const std::string& name, const std::string& category,
           std::int64_t begun, std::int64_t took, const std::string& args = {}) {
    const std::string place = R"("pid": 0, "tid": )" + std::to_string(row);
    if (rows_.insert(row).second)
      add_line(R"({"name": "thread_name", "ph": "M", )" + place + R"(, "args": {"name": )" + json_text(row_name) +
               "}}");
    add_line(R"({"name": )" + json_text(name) + R"(, "cat": )" + json_text(category) + R"(, "ph": "X", "ts": )" +
             microseconds(begun) + R"(, "dur": )" + microseconds(took) + ", " + place +
             (args.empty() ? "" : R"(, "args": )" + args) + '}');
  }
  /// The whole file. other: a JSON object of what else is to be known, or nothing.
  std::string text(const std::string& other = {}) const {
    return text_ + "\n]" + (other.empty() ? "" : R"(, "otherData": )" + other) + "}\n";
  }

 private:
  static std::string microseconds(std::int64_t nanoseconds) {
    char number[32];
    std::snprintf(number, sizeof number, "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                  static_cast<long long>(nanoseconds % 1000));
    return number;
  }
  void add_line(const std::string& line) {
    text_ += (is_empty_ ? "\n" : ",\n") + line;
    is_empty_ = false;
  }

  std::string text_ = "{\"traceEvents\": [";
  bool is_empty_ = true;
  std::set<int> rows_{};
};

}  // namespace stg::detail
