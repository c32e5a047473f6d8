// The chart of memory on the page of a program.
#include <algorithm>  // max, min

#include <stg/base/utf8.hpp>      // first_letters, letters_in
#include <stg/base/xml_text.hpp>  // xml_text

#include "page_parts.hpp"  // memory_chart

namespace stg::detail {

namespace {

/// Places in the chart, in pixels.
struct places_of_chart {
  static constexpr int row = 20, letter = 8, widest = 44, height = 100;
  int left, unit;
  int x(int of_unit) const { return left + of_unit * unit; }
};

std::string text_at(int x, int y, const std::string& text, const char* anchor = "start") {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" + anchor + "\">" +
         xml_text(text) + "</text>";
}
std::string rect_at(const char* of, int x, int y, int width, int height, const std::string& title) {
  return "<rect class=\"" + std::string(of) + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
         "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" rx=\"2\"><title>" +
         xml_text(title) + "</title></rect>\n";
}

std::string label_of(const explained::stored_value& v) {
  const std::size_t letters = utf8::letters_in(v.text);
  return letters <= places_of_chart::widest
             ? v.text
             : std::string(utf8::first_letters(v.text, places_of_chart::widest - 1)) + "…";
}

}  // namespace

std::string memory_chart(const explained::block_use& block, const sizes* given) {
  std::size_t longest = 28;  // of what stands beside the sums
  for (const explained::stored_value& v : block.values)
    if (!v.is_callers) longest = std::max(longest, utf8::letters_in(label_of(v)));
  const places_of_chart at{static_cast<int>(longest) * places_of_chart::letter + 16, block.units > 20 ? 30 : 44};
  const explained::measure size(given);
  std::string r;
  for (int u = 0; u < block.units; ++u) r += text_at(at.x(u) + at.unit / 2, 14, std::to_string(u), "middle") + '\n';
  std::vector<std::int64_t> alive(static_cast<std::size_t>(block.units), 0);
  int y = 22;
  for (const explained::stored_value& v : block.values) {
    if (v.is_callers) continue;
    const int last = std::min(v.last, block.units - 1);  // what the caller gets is kept after the last
    r += "<line x1=\"0\" x2=\"" + std::to_string(at.x(block.units)) + "\" y1=\"" + std::to_string(y) + "\" y2=\"" +
         std::to_string(y) + "\"/>" + text_at(4, y + 14, label_of(v)) +
         rect_at(v.is_over ? "over" : "bar", at.x(v.first), y + 3, (last - v.first + 1) * at.unit - 3,
                 places_of_chart::row - 6,
                 v.text + "\n" + size(v.bytes) + " bytes\nunits " + std::to_string(v.first) + " to " +
                     std::to_string(last));
    y += places_of_chart::row;
    for (int u = v.first; u <= last && given != nullptr && !v.is_over; ++u)
      alive[static_cast<std::size_t>(u)] += size.value(v.bytes);
  }
  const std::int64_t most = alive.empty() ? 0 : *std::max_element(alive.begin(), alive.end());
  if (most > 0) {
    y += 10;
    for (int u = 0; u < block.units; ++u) {
      const std::int64_t bytes = alive[static_cast<std::size_t>(u)];
      const int height =
          static_cast<int>(places_of_chart::height * static_cast<double>(bytes) / static_cast<double>(most));
      r += rect_at("total", at.x(u), y + places_of_chart::height - height, at.unit - 3, height,
                   "unit " + std::to_string(u) + "\n" + std::to_string(bytes) + " bytes of values");
    }
    y += places_of_chart::height;
    r += text_at(4, y - 18, "alive at once,") + text_at(4, y - 3, "at most " + std::to_string(most) + " bytes");
    y += 6;
  }
  const std::string width = std::to_string(at.x(block.units) + 8), height = std::to_string(y + 4);
  const std::string legend =
      "<p class=\"legend\"><i class=\"bar\"></i>in memory, from the unit that writes it to the last that reads it"
      "<i class=\"over\"></i>in the memory of a value that is read for the last time"
      "<i class=\"total\"></i>bytes alive in a unit</p>\n";
  return legend + "<div class=\"picture\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
         height + "\" viewBox=\"0 0 " + width + ' ' + height + "\">\n" + r + "</svg></div>\n";
}

}  // namespace stg::detail
