// Numbers of the vertices of a batch, in the order in which they are reached.
#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t, uint32_t
#include <vector>   // vector

namespace stg::detail {

/// An index of the standard library's containers.
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Room for so many elements; with a quarter to spare when it has to grow, since batches differ in size.
template <class T> void grow(std::vector<T>& array, std::int64_t size) {
  const auto wanted = static_cast<std::size_t>(size);
  if (array.capacity() < wanted) array.reserve(wanted + wanted / 4);
  array.resize(wanted);
}

/// The number of a vertex in the batch of this round.
struct vertex_mark {
  std::uint32_t round = 0;
  std::int32_t local = 0;
};

/// Marks of all vertices of a set of the large graph, which one batch after the other uses.
struct vertex_marks {
  std::vector<vertex_mark> of{};
  std::uint32_t round = 0;

  void start(std::int64_t vertices) {
    // After 2^32 batches marks of the first would come up again.
    if (++round == 0 || of.size() != at(vertices)) {
      of.assign(at(vertices), {});
      round = 1;
    }
  }
};

/// Gives vertices of a set their numbers, and lists them.
class vertex_numbers {
 public:
  vertex_numbers(vertex_marks& marks, std::int64_t large_vertices, std::vector<std::int32_t>& vertices)
      : vertices_(&vertices) {
    marks.start(large_vertices);
    marks_ = marks.of.data();
    round_ = marks.round;
  }

  /// The number of a vertex, which is added where it is not there.
  std::int32_t local_of(std::int32_t vertex) {
    vertex_mark& m = marks_[vertex];
    if (m.round != round_) m = {round_, add(vertex)};
    return m.local;
  }
  /// The number of a vertex that is there, else -1.
  std::int32_t find(std::int32_t vertex) const {
    const vertex_mark& m = marks_[vertex];
    return m.round == round_ ? m.local : -1;
  }
  void prefetch(std::int32_t vertex) const { __builtin_prefetch(&marks_[vertex], 1); }
  /// One more vertex of the batch, without a look at whether it is there.
  std::int32_t add(std::int32_t vertex) {
    vertices_->push_back(vertex);
    return static_cast<std::int32_t>(vertices_->size() - 1);
  }

  /// The numbers of `count` vertices, which are added where they are not there. Without a branch: which of them are new
  /// is no pattern that a processor could learn.
  void number(const std::int32_t* neighbours, std::int64_t count, std::int32_t* locals) {
    auto next = static_cast<std::int64_t>(vertices_->size());
    grow(*vertices_, next + count + 1);  // one more is written than is there
    std::int32_t* const vertices = vertices_->data();
    vertex_mark* const marks = marks_;
    const std::uint32_t round = round_;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t u = neighbours[i];
      const vertex_mark m = marks[u];
      const bool is_there = m.round == round;
      const std::int32_t local = is_there ? m.local : static_cast<std::int32_t>(next);
      vertices[next] = u;
      next += !is_there;
      marks[u] = {round, local};
      locals[i] = local;
    }
    vertices_->resize(at(next));
  }

 private:
  vertex_mark* marks_ = nullptr;
  std::uint32_t round_ = 0;
  std::vector<std::int32_t>* vertices_;
};

}  // namespace stg::detail
