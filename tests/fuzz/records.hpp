// What fuzzers' bytes become: files of one folder, numbers one after another, and refusals that are let through.
#pragma once

#include "../run/temporary_folder.hpp"  // temporary_folder

#include <stg/base/error.hpp>     // error
#include <stg/runtime/graph.hpp>  // edge_values, graph

#include <algorithm>    // min
#include <array>        // array
#include <cstddef>      // size_t
#include <cstdint>      // int32_t, int64_t
#include <filesystem>   // remove
#include <limits>       // numeric_limits
#include <optional>     // optional
#include <stdexcept>    // logic_error
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_floating_point_v
#include <vector>       // vector

namespace stg::test {

/// One folder for all calls: making one for each would take most of the time.
inline const temporary_folder& folder() {
  static const temporary_folder made;
  return made;
}

/// Runs action and lets it refuse.
template <class Action> void may_refuse(Action action) {
  try {
    action();
  } catch (const error&) {
  }
}

inline void demand(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Bytes one after another; zeros when they are out.
class byte_stream {
 public:
  explicit byte_stream(std::string_view bytes) : bytes_(bytes) {}
  bool ended() const { return bytes_.empty(); }
  int next() {
    if (bytes_.empty()) return 0;
    const int byte = static_cast<unsigned char>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  std::string_view name() {
    constexpr std::string_view names[] = {"a", "b", "r", "s", "t", "u", "no", ""};
    return names[next() % 8];
  }
  /// Ends of edges: most of them small, some negative.
  std::vector<std::int64_t> ends(int count) {
    std::vector<std::int64_t> all;
    for (int i = 0; i < count; ++i) all.push_back(static_cast<signed char>(next()));
    return all;
  }

 private:
  std::string_view bytes_;
};

using ids = std::vector<std::int32_t>;
/// Up to seven vertices or edges, of a graph or of none.
inline ids drawn_ids(byte_stream& from) {
  const std::vector<std::int64_t> wide = from.ends(from.next() % 8);
  return {wide.begin(), wide.end()};
}

/// A number of a weight, a time or a size: most of them small, and one of each kind that is none or is far away.
template <class T> T odd_number(int byte) {
  if constexpr (std::is_floating_point_v<T>) {
    if (byte == 255) return std::numeric_limits<T>::quiet_NaN();
    if (byte == 254) return std::numeric_limits<T>::infinity();
    if (byte == 252) return std::numeric_limits<T>::denorm_min();
    if (byte == 250) return -std::numeric_limits<T>::infinity();
  } else if (byte == 252 || byte >= 254) {
    return byte == 252 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max() / (byte == 254 ? 2 : 1);
  }
  if (byte == 253) return T(-1);
  if (byte == 251) return std::numeric_limits<T>::max();
  return T(byte % 16) / T(std::is_floating_point_v<T> ? 4 : 1);
}
template <class T> edge_values<T> numbers_of_edges(const graph& g, byte_stream& from) {
  tensor<T> values({g.edges()});
  for (T& x : values) x = odd_number<T>(from.next());
  return g.edge_values(values);
}

struct element_type {
  const char* name;
  std::size_t bytes;
};
inline constexpr std::array types = {element_type{"<i4", 4}, element_type{"|u1", 1}, element_type{"<u2", 2},
                                     element_type{"<i8", 8}, element_type{"<f4", 4}, element_type{"|b1", 1},
                                     element_type{"<f8", 8}};

inline std::string header_of(const std::string& type, const std::string& shape) {
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  const char length[] = {static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(length, 2) + text;
}

/// Writes records as files of a folder. Records: name, type + 8 · axes, count, and `count` elements, which lie on one
/// axis or, (count / 2, 2), (2, count / 2) or (count / 4, 2, 2), on several. Counts are taken modulo 128, and the last
/// record may be cut.
template <std::size_t Names>
void write_records(std::string_view bytes, const std::array<const char*, Names>& all, std::size_t ways) {
  for (const char* name : all) std::filesystem::remove(folder().file(std::string(name) + ".npy"));
  while (bytes.size() >= 3) {
    const auto at = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::string name = all[at(0) % all.size()];
    const element_type type = types[at(1) % 8 % types.size()];
    const std::size_t axes = at(1) / 8 % ways;
    std::size_t count = at(2) % 128;
    bytes.remove_prefix(3);
    count = std::min(count, bytes.size() / type.bytes);
    count -= count % (axes == 3 ? 4 : axes == 0 ? 1 : 2);
    const std::string half = std::to_string(count / 2);
    const std::string shapes[] = {"(" + std::to_string(count) + ",)", "(" + half + ", 2)", "(2, " + half + ")",
                                  "(" + std::to_string(count / 4) + ", 2, 2)"};
    std::string file = header_of(type.name, shapes[axes]);
    file += bytes.substr(0, count * type.bytes);
    folder().write(name + ".npy", file);
    bytes.remove_prefix(count * type.bytes);
  }
}

/// Writes texts as files of a folder: parts of the bytes between bytes of 0, whose first byte says which file. Of two
/// parts of one file the last is there.
template <std::size_t Names> void write_texts(std::string_view bytes, const std::array<const char*, Names>& all) {
  for (const char* name : all) std::filesystem::remove(folder().file(name));
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, bytes.find('\0'));
    if (!part.empty()) folder().write(all[static_cast<unsigned char>(part[0]) % Names], std::string(part.substr(1)));
    bytes.remove_prefix(std::min(part.size() + 1, bytes.size()));
  }
}

/// A graph of up to 15 vertices and 31 edges: a byte each, then the ends of these, which are folded to vertices unless
/// they are to be what they are. Nothing where that is refused.
inline std::optional<graph> drawn_graph(byte_stream& from, bool as_they_are = false) {
  const int vertices = from.next() % 16, edges = from.next() % 32;
  std::optional<graph> made;
  may_refuse([&] {
    std::vector<std::int64_t> src = from.ends(edges), dst = from.ends(edges);
    for (std::vector<std::int64_t>* ends : {&src, &dst})
      for (std::int64_t& v : *ends)
        if (vertices > 0 && !as_they_are) v = (v + 128) % vertices;
    made = graph::from_edges(vertices, src, dst);
  });
  return made;
}

}  // namespace stg::test
