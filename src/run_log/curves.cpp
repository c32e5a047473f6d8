// Curves of a run: charts below one another, each with axes, marks and the names of its curves.
#include "curves.hpp"  // svg_of

#include <algorithm>  // max, min, minmax
#include <array>      // array
#include <charconv>   // to_chars
#include <cmath>      // abs, ceil, floor, isfinite, log10, pow
#include <limits>     // numeric_limits
#include <utility>    // pair
#include <vector>     // vector

#include <stg/base/xml_text.hpp>  // xml_text

#include "scalar_lines.hpp"  // number_text

namespace stg::detail {

namespace {

// Colours that are told apart by everybody (Okabe and Ito 2008), and on white and black alike.
constexpr std::array<const char*, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#b58900", "#56b4e9", "#e6550d", "#8c6bb1"};
constexpr const char* style =
    "<style>text{font:12px "
    "sans-serif;fill:#333}.title{font-weight:bold;font-size:14px}.grid{stroke:#ddd}.frame{stroke:#888;"
    "fill:none}.curve{fill:none;stroke-width:1.5;stroke-linecap:round}.back{fill:#fff}@media "
    "(prefers-color-scheme:dark){text{fill:#ddd}.grid{"
    "stroke:#444}.back{fill:#1b1b1b}}</style>\n";

/// A chart's places, in pixels.
constexpr int width = 720, height = 300, left = 70, right = 16, top = 34, bottom = 44, legend_row = 18;

using named_curve = std::pair<const std::string, curve>;

std::string fixed(double value) {
  char digits[48];
  const double bounded = std::max(-1e6, std::min(1e6, value));
  return {digits, std::to_chars(digits, digits + sizeof digits, bounded, std::chars_format::fixed, 1).ptr};
}

struct bounds {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double v) { low = std::min(low, v), high = std::max(high, v); }
  /// Of no number or of one, bounds around it.
  void widen() {
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) {
      const double by = low == 0 ? 1 : std::abs(low) / 10;
      low -= by, high += by;
    }
  }
};

/// A chart while it is written.
class chart {
 public:
  chart(std::string name, const std::vector<const named_curve*>& curves, int at_y)
      : name_(std::move(name)), curves_(curves), y_(at_y) {
    for (const named_curve* c : curves_)
      for (const auto& [step, value] : c->second) {
        steps_.take(static_cast<double>(step));
        if (std::isfinite(value)) values_.take(value);
      }
    steps_.widen();
    values_.widen();
  }
  int bottom_of_legend() const { return y_ + height + legend_row * static_cast<int>(curves_.size()) + 10; }

  std::string text() const {
    std::string r = text_at("title", left, y_ + 20, "start", name_) + axes();
    int row = y_ + height + 6;
    for (std::size_t i = 0; i < curves_.size(); ++i, row += legend_row) {
      const std::string colour = colours[i % colours.size()];
      r += "<path class=\"curve\" stroke=\"" + colour + "\" d=\"" + path_of(curves_[i]->second) + "\"/>\n";
      r += "<rect x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(row - 4) +
           "\" width=\"18\" height=\"4\" fill=\"" + colour + "\"/>" +
           text_at("name", left + 26, row, "start", curves_[i]->first + last_value(curves_[i]->second));
    }
    return r;
  }

 private:
  static std::string text_at(const char* of, int x, int y, const char* anchor, const std::string& text) {
    return std::string("<text class=\"") + of + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
           "\" text-anchor=\"" + anchor + "\">" + xml_text(text) + "</text>\n";
  }
  static std::string last_value(const curve& c) { return c.empty() ? "" : ": " + number_text(c.rbegin()->second, 4); }
  double x(double step) const {
    return left + (step - steps_.low) / (steps_.high - steps_.low) * (width - left - right);
  }
  double y(double value) const {
    const double share = values_.high / 2 - values_.low / 2;  // halves, since their difference may be no double
    return y_ + height - bottom - (value / 2 - values_.low / 2) / share * (height - top - bottom);
  }

  std::string axes() const {
    std::string r;
    const auto line = [&](double x1, double y1, double x2, double y2) {
      r += "<line class=\"grid\" x1=\"" + fixed(x1) + "\" y1=\"" + fixed(y1) + "\" x2=\"" + fixed(x2) + "\" y2=\"" +
           fixed(y2) + "\"/>";
    };
    const axis_marks up = marks_between(values_.low, values_.high), along = marks_between(steps_.low, steps_.high);
    for (std::int64_t i = up.first; i <= up.last; ++i) {
      const double value = static_cast<double>(i) * up.step, at = y(value);
      line(left, at, width - right, at);
      r += text_at("mark", left - 6, static_cast<int>(at) + 4, "end", number_text(value, 6));
    }
    for (std::int64_t i = along.first; i <= along.last; ++i) {
      const double step = static_cast<double>(i) * along.step, at = x(step);
      line(at, y_ + top, at, y_ + height - bottom);
      r += text_at("mark", static_cast<int>(at), y_ + height - bottom + 16, "middle", number_text(step, 12));
    }
    r += "<rect class=\"frame\" x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(y_ + top) + "\" width=\"" +
         std::to_string(width - left - right) + "\" height=\"" + std::to_string(height - top - bottom) + "\"/>\n";
    return r + text_at("mark", (left + width - right) / 2, y_ + height - bottom + 32, "middle", "step");
  }

  /// Of points that share a pixel, the lowest and the highest: what is seen, in a file of bounded size.
  std::string path_of(const curve& c) const {
    std::string d;
    bool is_begun = false;
    for (auto i = c.begin(); i != c.end();) {
      if (!std::isfinite(i->second)) {
        is_begun = false, ++i;
        continue;
      }
      const auto pixel = static_cast<std::int64_t>(x(static_cast<double>(i->first)));
      auto lowest = i, highest = i;
      for (++i; i != c.end() && std::isfinite(i->second) &&
                static_cast<std::int64_t>(x(static_cast<double>(i->first))) == pixel;
           ++i) {
        if (i->second < lowest->second) lowest = i;
        if (i->second > highest->second) highest = i;
      }
      const auto [earlier, later] = std::minmax(lowest, highest, [](auto a, auto b) { return a->first < b->first; });
      for (const auto& at : {earlier, later}) {
        d += (is_begun ? "L" : "M") + fixed(x(static_cast<double>(at->first))) + ' ' + fixed(y(at->second));
        is_begun = true;  // a point by itself is a line without length, which round ends show
      }
    }
    return d;
  }

  std::string name_;
  std::vector<const named_curve*> curves_;
  int y_;
  bounds steps_{}, values_{};
};

}  // namespace

axis_marks marks_between(double low, double high) {
  constexpr double wanted = 5;
  const double about = high / wanted - low / wanted;
  if (!(about > 0)) return {1, 0, -1};  // too near to each other for a double
  double step = std::pow(10.0, std::floor(std::log10(about)));
  for (const double times : {2.0, 2.5, 2.0})  // 1, 2, 5, 10
    if (step < about) step *= times;
  return {step, static_cast<std::int64_t>(std::ceil(low / step)), static_cast<std::int64_t>(std::floor(high / step))};
}

std::string svg_of(const std::map<std::string, curve, std::less<>>& curves) {
  std::map<std::string, std::vector<const named_curve*>> groups;
  for (const named_curve& c : curves) groups[c.first.substr(0, c.first.find('/'))].push_back(&c);
  std::string charts;
  int y = 0;
  for (const auto& [name, of_group] : groups) {
    const chart now(name, of_group, y);
    charts += now.text();
    y = now.bottom_of_legend();
  }
  const std::string size = "width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(std::max(y, 1)) + '"';
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + std::to_string(width) + ' ' +
         std::to_string(std::max(y, 1)) + "\">\n" + style + "<rect class=\"back\" " + size + "/>\n" + charts +
         "</svg>\n";
}

}  // namespace stg::detail
