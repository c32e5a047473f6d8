// Looking into the rows of one hop: what is drawn of them, and writing it, some rows at a time.
#pragma once

#include "batch_writer.hpp"  // batch_writer
#include "draws.hpp"         // draws, choose_bits

#include <stg/runtime/adjacency.hpp>  // adjacency

#include <algorithm>  // max, min, sort
#include <cstddef>    // size_t
#include <cstdint>    // int32_t, int64_t, uint64_t

namespace stg::detail {

/// Writes `first` plus `k` of the numbers [0, n), each set as likely as any other, ascending; all of them where there
/// are no more. to: room for min(k, n). Returns its end.
inline std::int64_t* choose(draws& random, std::int64_t n, std::int64_t k, batch_scratch& scratch, std::int64_t first,
                            std::int64_t* to) {
  if (k >= n) {
    for (std::int64_t i = 0; i < n; ++i) *to++ = first + i;
    return to;
  }
  if (n <= 64) {
    const std::uint64_t bits = choose_bits(random, static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(k));
    for_each_bit(bits, [&](std::int64_t i) { *to++ = first + i; });
    return to;
  }
  if (const auto words = static_cast<std::size_t>(n + 63) / 64; scratch.bits.size() < words)
    scratch.bits.resize(words);  // of the longest row so far: a bit per edge
  std::uint64_t* const bits = scratch.bits.data();
  std::int64_t* const begin = to;
  for (std::int64_t j = n - k; j < n; ++j) {
    std::int64_t t = random.below(static_cast<std::uint32_t>(j + 1));
    if ((bits[t / 64] >> (t % 64) & 1) != 0) t = j;
    bits[t / 64] |= std::uint64_t{1} << (t % 64);
    *to++ = first + t;
  }
  for (std::int64_t* i = begin; i != to; ++i) bits[(*i - first) / 64] = 0;
  std::sort(begin, to);
  return to;
}

/// Looks into the vertices that the last hop reached of the set that a relation ends in, and writes their rows.
/// pick(local, to) writes the positions of the edges that are taken of a vertex and returns their end; there is room
/// for max(degree, most). prefetch(u) asks for what is known of a neighbour. take(first, rows, count) writes `count`
/// edges, for which there is room: of scratch.neighbours and scratch.positions, of as many rows from vertex `first` on.
///
/// Some rows are drawn before their neighbours are read, and those read before what is known of them: each is somewhere
/// else in memory, and is asked for while others are worked on.
template <class Prefetch, class Pick, class Take>
void expand_rows(batch_writer& writer, std::size_t relation, std::int64_t most, const Prefetch& prefetch,
                 const Pick& pick, const Take& take) {
  constexpr std::int64_t at_once = batch_scratch::rows_at_once;
  const sampled_relation& of = writer.kinds().relations()[relation];
  const adjacency in = of.edges.in_edges();
  sampled_rows& written = writer.relation(relation).rows;
  batch_scratch& s = writer.scratch();
  const std::int64_t last = writer.last(of.destination);
  for (std::int64_t first = writer.first(of.destination); first < last; first += at_once) {
    const std::int64_t rows = std::min(at_once, last - first);
    const std::int32_t* const vertices = writer.set(of.destination).vertices.data() + first;
    std::int64_t room = 0;
    for (std::int64_t r = 0; r < rows; ++r) {  // each row begins somewhere else: all are asked for together
      __builtin_prefetch(in.neighbours() + in.begin(vertices[r]));
      room += std::max(most, in.degree(vertices[r]));
    }
    grow(s.positions, room), grow(s.neighbours, room);
    std::int64_t* to = s.positions.data();
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t* const end = pick(first + r, to);
      for (; to != end; ++to) __builtin_prefetch(in.neighbours() + *to);
      s.ends[at(r)] = to - s.positions.data();
    }
    const std::int64_t count = to - s.positions.data();
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t u = in.neighbour(s.positions[at(i)]);
      s.neighbours[at(i)] = u;
      prefetch(u);
    }
    written.reserve(count);
    take(first, rows, count);
    for (std::int64_t r = 0; r < rows; ++r) written.end_row(s.ends[at(r)]);
  }
}

/// Hop after hop, in each one relation after another: draw(relation, hop, fan_out), unless that is 0.
template <class Draw> void expand_hops(batch_writer& writer, const numbers_by_hop& fan_outs, const Draw& draw) {
  for (std::size_t hop = 0; hop < fan_outs.hops; ++hop) {
    for (std::size_t r = 0; r < fan_outs.of.size(); ++r) {
      if (const std::int64_t fan_out = fan_outs.of[r][hop]; fan_out == 0) writer.skip(r);
      else draw(r, hop, fan_out);
    }
    writer.end_hop();
  }
}

/// The draws for a vertex in a hop along a relation.
inline draws draws_of(std::uint64_t number, std::size_t hop, std::size_t relation, std::int32_t vertex) {
  return {number, purpose::neighbours, static_cast<std::uint32_t>(hop),
          static_cast<std::uint64_t>(relation) << 32 | static_cast<std::uint64_t>(vertex)};
}

}  // namespace stg::detail
