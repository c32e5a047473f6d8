// Tensors as text, laid out as NumPy prints arrays.
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/tensor.hpp>         // tensor

#include <algorithm>    // max
#include <charconv>     // to_chars
#include <cmath>        // isfinite, abs
#include <cstdint>      // int64_t
#include <ostream>      // ostream
#include <string>       // string
#include <type_traits>  // is_floating_point_v
#include <vector>       // vector

namespace stg {

namespace {

constexpr std::int64_t longest_whole = 1000;  // elements; of more, the middle is left out
constexpr std::int64_t at_an_end = 3;         // elements of an axis that are left at each end
constexpr std::size_t line_width = 75;
constexpr int most_digits = 8;  // after the point

/// Places along an axis that are printed; -1 stands for those between.
std::vector<std::int64_t> printed(std::int64_t extent, bool abridged) {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < extent; ++i) {
    if (!abridged || extent <= 2 * at_an_end || i < at_an_end || i >= extent - at_an_end) places.push_back(i);
    else if (places.back() != -1) places.push_back(-1);
  }
  return places;
}

/// A float's digits: the fewest that tell it from its neighbours, at most eight after the point.
template <class T> std::string digits(T value, std::chars_format form) {
  char text[512];
  const auto shortest = std::to_chars(text, text + sizeof text, value, form);
  std::string s(text, shortest.ptr);
  const std::size_t exponent = std::min(s.find('e'), s.size()), point = std::min(s.find('.'), exponent);
  if (exponent - point > most_digits + 1) {
    const auto rounded = std::to_chars(text, text + sizeof text, value, form, most_digits);
    s.assign(text, rounded.ptr);
    const std::size_t end = std::min(s.find('e'), s.size());
    std::size_t last = end;
    while (last > 0 && s[last - 1] == '0') --last;
    s.erase(last, end - last);
  }
  if (s.find('.') == std::string::npos) s.insert(std::min(s.find('e'), s.size()), ".");
  return s;
}

/// The printed elements of a tensor of floats, points below one another.
template <class T> std::vector<std::string> words_of(const std::vector<T>& values) {
  double largest = 0, least = 0;
  for (const T v : values) {
    const double size = std::abs(static_cast<double>(v));
    if (!std::isfinite(size) || size == 0) continue;
    largest = std::max(largest, size);
    least = least == 0 ? size : std::min(least, size);
  }
  const bool exponents = largest >= 1e8 || (least != 0 && (least < 1e-4 || largest / least > 1000));
  std::vector<std::string> words;
  std::size_t before = 0, after = 0;  // the longest parts before and after the point, up to an exponent
  for (const T v : values) {
    words.push_back(std::isnan(v) ? "nan"
                    : !std::isfinite(v)
                        ? (v > 0 ? "inf" : "-inf")
                        : digits(v, exponents ? std::chars_format::scientific : std::chars_format::fixed));
    const std::string& w = words.back();
    const std::size_t point = w.find('.');
    if (point == std::string::npos) continue;
    before = std::max(before, point);
    after = std::max(after, std::min(w.find('e'), w.size()) - point - 1);
  }
  std::size_t width = 0;
  for (std::string& w : words) {
    if (const std::size_t point = w.find('.'); point != std::string::npos) {
      const std::size_t end = std::min(w.find('e'), w.size());
      w.insert(end, after - (end - point - 1), exponents ? '0' : ' ');
      w.insert(0, before - point, ' ');
    }
    width = std::max(width, w.size());
  }
  for (std::string& w : words) w.insert(0, width - w.size(), ' ');
  return words;
}
template <class T>
  requires(!std::is_floating_point_v<T>)
std::vector<std::string> words_of(const std::vector<T>& values) {
  std::vector<std::string> words;
  std::size_t width = 0;
  for (const T v : values) {
    if constexpr (std::is_same_v<T, char>) words.emplace_back(v ? "true" : "false");
    else words.push_back(std::to_string(v));
    width = std::max(width, words.back().size());
  }
  for (std::string& w : words) w.insert(0, width - w.size(), ' ');
  return words;
}

/// Goes through what is printed of a tensor: element(i) for each, and between(axis) where some are left out.
class layout {
 public:
  explicit layout(const dimensions& shape) : shape_(shape), abridged_(shape.size() > longest_whole) { places(0, 0); }
  const std::vector<std::int64_t>& elements() const { return elements_; }

  std::string text(const std::vector<std::string>& words) const {
    std::string out, line;
    std::size_t next = 0;
    write(0, words, next, out, line);
    return out + line;
  }

 private:
  void places(int axis, std::int64_t at) {
    if (axis == shape_.rank()) return elements_.push_back(at);
    for (const std::int64_t i : printed(shape_[axis], abridged_))
      if (i >= 0) places(axis + 1, at * shape_[axis] + i);
  }
  void write(int axis, const std::vector<std::string>& words, std::size_t& next, std::string& out,
             std::string& line) const {
    if (axis == shape_.rank()) {
      line += words[next++];
      return;
    }
    const bool innermost = axis + 1 == shape_.rank();
    const std::string indent(static_cast<std::size_t>(axis) + 1, ' ');
    const auto new_line = [&](std::size_t lines) {
      while (!line.empty() && line.back() == ' ' && innermost) line.pop_back();
      out += line + std::string(lines, '\n');
      line = indent;
    };
    line += '[';
    bool first = true;
    for (const std::int64_t i : printed(shape_[axis], abridged_)) {
      if (!first && !innermost) new_line(static_cast<std::size_t>(shape_.rank() - axis - 1));
      if (innermost) {
        const std::size_t word = i < 0 ? 3 : words[next].size();
        if (!first && line.size() + 1 + word >= line_width) new_line(1);
        else if (!first) line += ' ';
      }
      if (i < 0) line += "...";
      else write(axis + 1, words, next, out, line);
      first = false;
    }
    line += ']';
  }

  dimensions shape_;
  bool abridged_;
  std::vector<std::int64_t> elements_;
};

/// What an element is printed as.
template <class T> struct shown { using type = T; };
template <> struct shown<bool> { using type = char; };
template <> struct shown<bfloat16> { using type = float; };
template <> struct shown<float16> { using type = float; };

}  // namespace

template <TensorElement T> std::ostream& operator<<(std::ostream& out, const const_tensor<T>& t) try {
  if (!t.place().is_host()) return out << "tensor " << to_string(t.shape()) << " on " << to_string(t.place());
  const layout where(t.shape());
  using word = typename shown<T>::type;
  std::vector<word> values;
  for (const std::int64_t at : where.elements()) values.push_back(static_cast<word>(t.data()[at]));
  return out << where.text(words_of(values));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template std::ostream& operator<<(std::ostream&, const const_tensor<float>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<double>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<std::int32_t>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<std::int64_t>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<bool>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<bfloat16>&);
template std::ostream& operator<<(std::ostream&, const const_tensor<float16>&);

}  // namespace stg
