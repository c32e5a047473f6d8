// The binary tree over the blocks of a cut, by which ranks join sums: which nodes a rank computes alone.
#pragma once

#include <cstddef>  // size_t

#include <stg/runtime/rank_rows.hpp>  // rank_rows

namespace stg::codegen {

/// A node is a range of blocks [first, last), divided in the middle. Nodes without rows are left out.
class block_tree {
 public:
  explicit block_tree(const rank_rows& cut_rows) : of(cut_rows) {}

  int blocks() const { return static_cast<int>(of.block_has_rows.size()); }
  bool has_rows(int first, int last) const {
    for (int b = first; b < last; ++b)
      if (of.block_has_rows[static_cast<std::size_t>(b)]) return true;
    return false;
  }
  /// The rank with all of these blocks; -1: several have some.
  int owner(int first, int last) const {
    for (int r = 0; r < of.ranks->size(); ++r)
      if (first >= begin(r) && last <= begin(r + 1)) return r;
    return -1;
  }
  /// Calls body(first, last) for the nodes that a rank computes, those with rows.
  template <class Body> void each_node_of(int rank, const Body& body) const { each_node_in(0, blocks(), rank, body); }

  /// The first block with rows among some that have any: a node's number.
  int first_with_rows(int first, int last) const {
    while (first < last && !of.block_has_rows[static_cast<std::size_t>(first)]) ++first;
    return first < last ? first : -1;
  }
  /// Writes the pairs of nodes that are joined to a node, in their order, and returns its number; -1: it has no rows.
  /// is_given(first, last): whether a node needs none.
  template <class Given, class Pairs> int joined(int first, int last, const Given& is_given, Pairs& pairs) const {
    if (!has_rows(first, last)) return -1;
    if (last - first == 1 || is_given(first, last)) return first_with_rows(first, last);
    const int middle = (first + last) / 2;
    const int a = joined(first, middle, is_given, pairs), b = joined(middle, last, is_given, pairs);
    if (a < 0 || b < 0) return a < 0 ? b : a;
    pairs.push_back(a);
    pairs.push_back(b);
    return a;
  }

  const rank_rows& of;

 private:
  int begin(int rank) const { return of.first_block[static_cast<std::size_t>(rank)]; }
  template <class Body> void each_node_in(int first, int last, int rank, const Body& body) const {
    if (last <= begin(rank) || first >= begin(rank + 1) || !has_rows(first, last)) return;
    if (first >= begin(rank) && last <= begin(rank + 1)) return body(first, last);
    const int middle = (first + last) / 2;
    each_node_in(first, middle, rank, body);
    each_node_in(middle, last, rank, body);
  }
};

}  // namespace stg::codegen
