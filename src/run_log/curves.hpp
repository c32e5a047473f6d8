// Curves of a run as a picture in SVG.
#pragma once

#include <cstdint>     // int64_t
#include <functional>  // less
#include <map>         // map
#include <string>      // string

namespace stg::detail {

/// The values of a name, by step.
using curve = std::map<std::int64_t, double>;
/// A chart for each group of names, the part before the first '/'.
std::string svg_of(const std::map<std::string, curve, std::less<>>& curves);

/// Numbers at which an axis has marks: multiples of 1, 2 or 5 times a power of ten, three to eight of them.
struct axis_marks {
  double step = 1;                   // from one to the next
  std::int64_t first = 0, last = 0;  // in steps
};
axis_marks marks_between(double low, double high);

}  // namespace stg::detail
