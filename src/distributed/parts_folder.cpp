// Parts of a cut in .npy files, with a number of each file's contents.
#include <stg/distributed/parts_folder.hpp>

#include <algorithm>  // all_of
#include <array>      // array
#include <optional>   // optional

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include "../runtime/graph/graph_state.hpp"  // mixed
#include "../sampling/vertex_numbers.hpp"    // at
#include "cut_state.hpp"                     // cut_access
#include "part_builder.hpp"                  // build_part, edges_of_vertices

namespace stg {

using detail::at;

namespace {

constexpr std::int64_t version = 1;
constexpr const char* write_anew = "; write the parts anew by stg::write_parts";

std::string folder_of(int part) { return "part_" + std::to_string(part) + '/'; }

/// A number of arrays, one behind the other.
class contents {
 public:
  template <class T> contents& add(std::span<const T> values) {
    for (const T value : values) hash_ = detail::mixed(hash_ + static_cast<std::uint64_t>(value));
    hash_ = detail::mixed(hash_ ^ values.size());
    return *this;
  }
  std::int64_t number() const { return static_cast<std::int64_t>(hash_); }

 private:
  std::uint64_t hash_ = 0;
};

template <class T> std::span<const T> span_of(const const_tensor<T>& t) { return {t.data(), at(t.size())}; }
template <class T> const_tensor<T> view_of(const std::vector<T>& v) {
  return const_tensor<T>::view_of(v.data(), {static_cast<std::int64_t>(v.size())});
}

/// Some numbers about a file's neighbours, by their place.
template <std::size_t Count> struct numbers_file {
  std::array<std::int64_t, Count> of{};

  void write(detail::file_replacement& files, const std::string& name) const {
    files.write(name, const_tensor<std::int64_t>::view_of(of.data(), {std::int64_t{Count}}));
  }
  static numbers_file read(const std::string& path) {
    const tensor<std::int64_t> found = read_npy<std::int64_t>(path);
    if (found.size() < 1 || found.data()[0] != version)
      throw error("parts: " + path + " is of version " + (found.size() < 1 ? "none" : std::to_string(found.data()[0])) +
                  ", and this is version " + std::to_string(version) + write_anew);
    if (found.shape() != dimensions{std::int64_t{Count}})
      throw error("parts: " + path + " has shape " + to_string(found.shape()) + ", expected (" + std::to_string(Count) +
                  ")" + write_anew);
    numbers_file read;
    std::copy(found.begin(), found.end(), read.of.begin());
    return read;
  }
};
enum of_all { all_version, all_vertices, all_edges, all_parts, all_identity, all_cut, all_contents, numbers_of_all };
enum of_part { part_version, part_cut, part_in_edges, part_out_edges, part_contents, numbers_of_part };

/// An array of a file with so many numbers, all in [0, below).
template <class T> const_tensor<T> read_ids(const std::string& path, std::int64_t count, std::int64_t below) {
  const_tensor<T> found = map_npy<T>(path);
  if (found.shape() != dimensions{count})
    throw error("parts: " + path + " has shape " + to_string(found.shape()) + ", expected (" + std::to_string(count) +
                ")" + write_anew);
  for (std::int64_t i = 0; i < count; ++i)
    if (found(i) < 0 || found(i) >= below)
      throw error("parts: " + path + " has " + std::to_string(found(i)) + " at " + std::to_string(i) +
                  ", expected 0 to " + std::to_string(below - 1) + write_anew);
  return found;
}

[[noreturn]] void were_changed(const std::string& path) {
  throw error("parts: files beside " + path + " are not those that were written with it" + write_anew);
}

/// Edges of both directions of some vertices.
struct part_arrays {
  std::vector<std::int32_t> in_neighbours{}, out_neighbours{};
  std::vector<std::int64_t> first_edges{}, out_edges{};  // id of the first edge into each vertex; ids of out-edges

  std::int64_t number() const {
    return contents()
        .add(std::span<const std::int32_t>(in_neighbours))
        .add(std::span<const std::int64_t>(first_edges))
        .add(std::span<const std::int32_t>(out_neighbours))
        .add(std::span<const std::int64_t>(out_edges))
        .number();
  }
};

void write_part(detail::file_replacement& files, const cut& of, int part) {
  const graph& g = of.whole();
  const adjacency in = g.in_edges(), out = g.out_edges();
  part_arrays arrays;
  for (int b = detail::first_block_of(of, part); b < detail::first_block_of(of, part + 1); ++b)
    for (const std::int32_t v : of.block(b)) {
      arrays.first_edges.push_back(in.begin(v));
      for (auto k = in.begin(v); k != in.end(v); ++k) arrays.in_neighbours.push_back(in.neighbour(k));
      for (auto k = out.begin(v); k != out.end(v); ++k) {
        arrays.out_neighbours.push_back(out.neighbour(k));
        arrays.out_edges.push_back(out.edge_id(k));
      }
    }
  numbers_file<numbers_of_part> numbers;
  numbers.of[part_version] = version;
  numbers.of[part_cut] = static_cast<std::int64_t>(detail::cut_access::state_of(of).number);
  numbers.of[part_in_edges] = static_cast<std::int64_t>(arrays.in_neighbours.size());
  numbers.of[part_out_edges] = static_cast<std::int64_t>(arrays.out_neighbours.size());
  numbers.of[part_contents] = arrays.number();
  numbers.write(files, folder_of(part) + "part.npy");
  files.write(folder_of(part) + "first_edges.npy", view_of(arrays.first_edges));
  files.write(folder_of(part) + "in_neighbours.npy", view_of(arrays.in_neighbours));
  files.write(folder_of(part) + "out_neighbours.npy", view_of(arrays.out_neighbours));
  files.write(folder_of(part) + "out_edges.npy", view_of(arrays.out_edges));
}

/// The edges of a rank's vertices, of its parts one behind the other.
class edges_of_rank {
 public:
  edges_of_rank(const detail::whole_files& files, const cut& of, const communicator& ranks)
      : files_(files), cut_(of), all_(detail::cut_access::state_of(of)) {
    in_degrees_ = read_ids<std::int32_t>(files.path_of("in_degrees.npy"), all_.vertices, std::int64_t{1} << 31);
    out_degrees_ = read_ids<std::int32_t>(files.path_of("out_degrees.npy"), all_.vertices, std::int64_t{1} << 31);
    const int first = detail::first_part_of(of, ranks.rank(), ranks.size());
    const int last = detail::first_part_of(of, ranks.rank() + 1, ranks.size());
    for (int part = first; part < last; ++part) read(part);
  }
  distributed::edges_of_vertices edges() const {
    const auto rows = static_cast<std::int64_t>(in_offsets_.size()) - 1;
    return {{rows, in_offsets_.data(), arrays_.in_neighbours.data(), in_edges_.data()},
            {rows, out_offsets_.data(), arrays_.out_neighbours.data(), arrays_.out_edges.data()},
            true,
            in_degrees_.data(),
            out_degrees_.data()};
  }

 private:
  template <class T>
  std::vector<T> read(int part, const char* name, std::int64_t count, std::int64_t below, std::vector<T>& to) {
    const const_tensor<T> found = read_ids<T>(files_.path_of(folder_of(part) + name), count, below);
    to.insert(to.end(), found.begin(), found.end());
    return {found.begin(), found.end()};
  }
  void read(int part) {
    const std::string path = files_.path_of(folder_of(part) + "part.npy");
    const auto numbers = numbers_file<numbers_of_part>::read(path).of;
    if (static_cast<std::uint64_t>(numbers[part_cut]) != all_.number)
      throw error("parts: " + path + " is of another cut" + write_anew);
    std::int64_t rows = 0, in = in_offsets_.back(), out = out_offsets_.back();
    for (int b = detail::first_block_of(cut_, part); b < detail::first_block_of(cut_, part + 1); ++b)
      for (const std::int32_t v : cut_.block(b)) {
        ++rows;
        in_offsets_.push_back(in += in_degrees_(v));
        out_offsets_.push_back(out += out_degrees_(v));
      }
    part_arrays own;
    const std::int64_t in_edges = numbers[part_in_edges], out_edges = numbers[part_out_edges];
    own.in_neighbours = read(part, "in_neighbours.npy", in_edges, all_.vertices, arrays_.in_neighbours);
    own.first_edges = read(part, "first_edges.npy", rows, all_.edges + 1, arrays_.first_edges);
    own.out_neighbours = read(part, "out_neighbours.npy", out_edges, all_.vertices, arrays_.out_neighbours);
    own.out_edges = read(part, "out_edges.npy", out_edges, all_.edges, arrays_.out_edges);
    if (own.number() != numbers[part_contents] || static_cast<std::int64_t>(arrays_.in_neighbours.size()) != in ||
        static_cast<std::int64_t>(arrays_.out_neighbours.size()) != out)
      were_changed(path);
    for (std::int64_t r = static_cast<std::int64_t>(in_offsets_.size()) - 1 - rows, k = 0; k < rows; ++r, ++k)
      for (std::int64_t e = in_offsets_[at(r)]; e < in_offsets_[at(r + 1)]; ++e)
        in_edges_.push_back(own.first_edges[at(k)] + e - in_offsets_[at(r)]);
  }

  const detail::whole_files& files_;
  const cut& cut_;
  const detail::cut_access::state& all_;
  const_tensor<std::int32_t> in_degrees_{}, out_degrees_{};
  std::vector<std::int64_t> in_offsets_{0}, out_offsets_{0}, in_edges_{};
  part_arrays arrays_{};
};

/// Of the numbers of parts.npy, but for the last, and of the files beside it.
std::int64_t number_of(const std::array<std::int64_t, numbers_of_all>& numbers, std::span<const std::int32_t> vertices,
                       std::span<const std::int64_t> blocks, std::span<const std::int32_t> in_degrees,
                       std::span<const std::int32_t> out_degrees) {
  return contents()
      .add(std::span<const std::int64_t>(numbers).first(all_contents))
      .add(vertices)
      .add(blocks)
      .add(in_degrees)
      .add(out_degrees)
      .number();
}

/// Whether blocks of a cut begin and end where they can, and each vertex is in one.
bool is_cut(std::span<const std::int32_t> vertices, std::span<const std::int64_t> blocks) {
  for (std::size_t b = 1; b < blocks.size(); ++b)
    if (blocks[b] < blocks[b - 1]) return false;
  std::vector<bool> seen(vertices.size());
  for (const std::int32_t v : vertices) seen[at(v)] = true;
  return blocks.front() == 0 && blocks.back() == static_cast<std::int64_t>(vertices.size()) &&
         std::all_of(seen.begin(), seen.end(), [](bool one) { return one; });
}

bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 62 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c != '/' && c != '\\' && c != '\x7f'; });
}
std::string file_of(const char* folder, std::string_view name) {
  if (!is_file_name(name))
    throw error("parts: \"" + std::string(name) +
                "\" is no name of a file; give 1 to 62 characters without / and blanks, and no dot first");
  return std::string(folder) + '/' + std::string(name);
}

}  // namespace

parts_folder write_parts(const std::string& folder, const cut& of) try {
  const auto& all = detail::cut_access::state_of(of);
  const graph& g = of.whole();
  if (g.vertices() != all.vertices) throw error("parts: the cut was read from a folder; write the parts of a graph");
  const std::span<const std::int32_t> in_degrees = g.in_degrees(), out_degrees = g.out_degrees();
  const auto view = [](std::span<const std::int32_t> v) {
    return const_tensor<std::int32_t>::view_of(v.data(), {static_cast<std::int64_t>(v.size())});
  };
  numbers_file<numbers_of_all> numbers;
  numbers.of = {version,
                all.vertices,
                all.edges,
                all.parts,
                static_cast<std::int64_t>(all.edge_identity),
                static_cast<std::int64_t>(all.number),
                0};
  numbers.of[all_contents] =
      number_of(numbers.of, all.plain().by_block, all.plain().block_offsets, in_degrees, out_degrees);
  detail::file_replacement files(folder);
  numbers.write(files, "parts.npy");
  files.write("vertices.npy", view_of(all.plain().by_block));
  files.write("blocks.npy", view_of(all.plain().block_offsets));
  files.write("in_degrees.npy", view(in_degrees));
  files.write("out_degrees.npy", view(out_degrees));
  for (int part = 0; part < of.parts(); ++part) write_part(files, of, part);
  files.put_in_place();
  return {folder, of};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

parts_folder read_parts(const std::string& folder) try {
  const detail::whole_files files(folder);
  const std::string path = files.path_of("parts.npy");
  const auto numbers = numbers_file<numbers_of_all>::read(path).of;
  const std::int64_t n = numbers[all_vertices], most = std::int64_t{1} << 31;
  if (n < 0 || n >= most || numbers[all_edges] < 0 || numbers[all_parts] < 1 || numbers[all_parts] > cut::blocks)
    were_changed(path);
  auto made = std::make_shared<detail::cut_access::state>();
  made->vertices = n;
  made->edges = numbers[all_edges];
  made->parts = static_cast<int>(numbers[all_parts]);
  made->edge_identity = static_cast<std::uint64_t>(numbers[all_identity]);
  made->number = static_cast<std::uint64_t>(numbers[all_cut]);
  const auto vertices = read_ids<std::int32_t>(files.path_of("vertices.npy"), n, n);
  const auto blocks = read_ids<std::int64_t>(files.path_of("blocks.npy"), cut::blocks + 1, n + 1);
  const auto in_degrees = read_ids<std::int32_t>(files.path_of("in_degrees.npy"), n, most);
  const auto out_degrees = read_ids<std::int32_t>(files.path_of("out_degrees.npy"), n, most);
  if (number_of(numbers, span_of(vertices), span_of(blocks), span_of(in_degrees), span_of(out_degrees)) !=
          numbers[all_contents] ||
      !is_cut(span_of(vertices), span_of(blocks)))
    were_changed(path);
  detail::cut_set& set = made->sets.emplace_back();
  set.by_block.assign(vertices.begin(), vertices.end());
  set.block_offsets.assign(blocks.begin(), blocks.end());
  set.part_of.resize(at(n));
  for (int part = 0, b = 0; b < cut::blocks; ++b) {
    while (b >= cut::blocks * (part + 1) / made->parts) ++part;
    for (std::int64_t k = blocks(b); k < blocks(b + 1); ++k) set.part_of[at(vertices(k))] = part;
  }
  return {folder, detail::cut_access::of(std::move(made))};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::int64_t parts_folder::vertices() const { return detail::cut_access::state_of(cut_).vertices; }
std::int64_t parts_folder::edges() const { return detail::cut_access::state_of(cut_).edges; }
int parts_folder::parts() const { return cut_.parts(); }

distributed_graph parts_folder::part(communicator& ranks) const try {
  detail::check_ranks("parts", cut_, ranks);
  const detail::whole_files files(path_);
  return {cut_, distributed::build_part(cut_, ranks, edges_of_rank(files, cut_, ranks).edges()).take()};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
vertex_owners parts_folder::owners(communicator& ranks) const { return {cut_, ranks}; }

std::string parts_folder::row_file(std::string_view name) { return file_of("rows", name); }
std::string parts_folder::edge_file(std::string_view name) { return file_of("edge_values", name); }
std::span<const std::int32_t> parts_folder::by_part() const {
  return detail::cut_access::state_of(cut_).plain().by_block;
}

std::vector<std::int64_t> parts_folder::places_of(std::span<const std::int32_t> vertices) const {
  const auto& by_block = detail::cut_access::state_of(cut_).plain().by_block;
  std::vector<std::int32_t> place(by_block.size());
  for (std::size_t k = 0; k < by_block.size(); ++k) place[at(by_block[k])] = static_cast<std::int32_t>(k);
  std::vector<std::int64_t> places;
  for (const std::int32_t v : vertices) places.push_back(place[at(v)]);
  return places;
}
std::vector<std::int64_t> parts_folder::edges_of(const distributed_graph& part) {
  std::vector<std::int64_t> ids;
  const adjacency in = part.in_edges();
  for (std::int64_t e = 0; e < part.edges(); ++e) ids.push_back(in.global_edge(e));
  return ids;
}

void parts_folder::check_rows(std::string_view name, const dimensions& shape, location lies, std::int64_t rows) const {
  if (lies.is_host() && shape.rank() > 0 && shape[0] == rows) return;
  throw error("parts: " + std::string(name) + " has shape " + to_string(shape) +
              (lies.is_host() ? "" : " on a device") + ", expected " + std::to_string(rows) +
              " rows on the host, one for each of the whole graph");
}
void parts_folder::check_edges(std::string_view name, stg::edge_identity of) const {
  if (static_cast<std::uint64_t>(of) != detail::cut_access::state_of(cut_).edge_identity)
    throw error("parts: " + std::string(name) +
                " has values of another graph's edges; give those of the graph that was cut");
}
tensor<std::int64_t> parts_folder::number_of_cut() const {
  return tensor<std::int64_t>::from({1}, {static_cast<std::int64_t>(detail::cut_access::state_of(cut_).number)});
}
void parts_folder::check_number_of_cut(const std::string& file) const {
  const tensor<std::int64_t> found = read_npy<std::int64_t>(file);
  if (found.size() != 1 || found.data()[0] != number_of_cut().data()[0])
    throw error("parts: the values beside " + file + " were written for another cut; write them anew");
}

}  // namespace stg
