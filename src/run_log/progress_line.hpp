// The line on a terminal that says how far a run has come.
#pragma once

#include <chrono>       // steady_clock
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // pair
#include <vector>       // vector

namespace stg::detail {

/// Written over itself by a carriage return; nothing is written where stderr is no terminal.
class progress_line {
 public:
  /// steps: of the whole run, or 0.
  progress_line(bool is_wanted, std::int64_t steps);
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  /// Leaves the last line where it stands, and ends it.
  ~progress_line();

  void show(std::string_view name, double value, std::int64_t step);

 private:
  using clock = std::chrono::steady_clock;

  std::string text(std::int64_t step) const;
  void draw(std::int64_t step);

  bool is_shown_;
  std::int64_t steps_, first_step_ = 0, last_step_ = -1;
  clock::time_point begun_{}, drawn_{};
  std::vector<std::pair<std::string, double>> last_values_{};
  bool is_drawn_ = false;
};

/// h:mm:ss, or m:ss below an hour.
std::string duration_text(double seconds);

}  // namespace stg::detail
