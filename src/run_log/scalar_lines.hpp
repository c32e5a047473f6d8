// Lines of a log's texts: CSV and JSON.
#pragma once

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/run_log.hpp>  // hyper_parameter

namespace stg::detail {

/// One number of a run. The time is seconds since 1970.
struct logged_scalar {
  double time;
  std::int64_t step;
  std::string_view name;
  double value;
};

inline constexpr std::string_view csv_header = "time,step,name,value\n";
std::string csv_line(const logged_scalar& scalar);
std::string json_line(const logged_scalar& scalar);
std::string json_line(double time, const std::vector<hyper_parameter>& settings);
std::string purge_json_line(double time, std::int64_t step);

/// The fewest digits that are read as the same number, in every locale; nan, inf, -inf. With `digits`, so many at most.
std::string number_text(double value, int digits = 0);

}  // namespace stg::detail
