// Moving edge values from the order of ids to that of positions, and finding out where they go.
#include <stg/runtime/edge_order.hpp>  // edge_order
#include <stg/runtime/parallel.hpp>    // parallel_in_slots, parallel

#include <algorithm>  // min
#include <cstring>    // memcpy

namespace stg {

namespace {

/// Ids that one thread takes at a time: about as many as a block, so that both passes are divided alike.
constexpr std::int64_t ids_of_part = edge_order::block;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Hands values that begin with id 0 to their blocks. Blocks are `count` places from `begin` on; values of others go
/// elsewhere, so that no branch has to be guessed.
template <std::int64_t Row>
void hand_out(const std::byte* by_id, const std::uint32_t* place_of_id, std::int64_t ids, std::uint32_t begin,
              std::uint32_t count, std::byte* to, std::byte* elsewhere) {
  const std::int64_t there = to - elsewhere;
  for (std::int64_t e = 0; e < ids; ++e) {
    const std::uint32_t place = place_of_id[e] - begin;
    const std::int64_t mine = -std::int64_t{place < count};  // all bits or none
    std::memcpy(elsewhere + ((there + Row * place) & mine), by_id + Row * e, Row);
  }
}

/// Puts the values of a block in order.
template <std::int64_t Row>
void order_block(const std::uint16_t* place_in_block, std::int64_t count, std::byte* values, std::byte* scratch) {
  std::memcpy(scratch, values, index(Row * count));
  for (std::int64_t k = 0; k < count; ++k) std::memcpy(values + Row * k, scratch + Row * place_in_block[k], Row);
}

}  // namespace

void edge_order::prepare() const {
  std::call_once(once_, [this] { find_places(); });
}

void edge_order::find_places() const {
  constexpr std::int64_t most_parts = 256;
  const std::int64_t edges = rows_.edges(), parts = std::min(blocks(), most_parts);
  place_of_id_.resize(index(edges));
  place_in_block_.resize(index(edges));
  std::uint32_t* const place = place_of_id_.data();
  const auto each_part = [&](const auto& body) {
    parallel(parts, [&](std::int64_t part) {
      const std::int64_t last = blocks() * (part + 1) / parts * block;
      body(part, blocks() * part / parts * block, std::min(last, edges));
    });
  };
  // First the position of each id, of which its place is found below.
  each_part([&](std::int64_t, std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) place[rows_.edge_id(k)] = static_cast<std::uint32_t>(k);
  });
  // How many values each part of the ids hands to each block; then where in the block its first goes.
  std::vector<std::uint32_t> next(index(parts * blocks()));
  const auto next_of = [&](std::int64_t part, std::int64_t b) -> std::uint32_t& {
    return next[index(part * blocks() + b)];
  };
  each_part([&](std::int64_t part, std::int64_t first, std::int64_t last) {
    for (std::int64_t e = first; e < last; ++e) ++next_of(part, place[e] / block);
  });
  for (std::int64_t b = 0; b < blocks(); ++b) {
    std::uint32_t before = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::uint32_t count = next_of(part, b);
      next_of(part, b) = before;
      before += count;
    }
  }
  each_part([&](std::int64_t part, std::int64_t first, std::int64_t last) {
    for (std::int64_t e = first; e < last; ++e) {
      const std::uint32_t position = place[e];
      const std::int64_t b = position / block;
      const std::uint32_t in_block = next_of(part, b)++;
      place_in_block_[position] = static_cast<std::uint16_t>(in_block);
      place[e] = static_cast<std::uint32_t>(b * block + in_block);
    }
  });
}

void edge_order::lay_out(const std::byte* by_id, std::int64_t row, std::int64_t first, std::int64_t last, std::byte* to,
                         std::byte* scratch, std::int64_t slots) const {
  if (first == last) return;
  prepare();
  const std::int64_t edges = rows_.edges(), begin = first * block, count = std::min(last * block, edges) - begin;
  const auto move = [&]<std::int64_t Row> {
    parallel_in_slots(slots, blocks(), [&](std::int64_t part, std::int64_t slot) {
      const std::int64_t id = part * ids_of_part;
      hand_out<Row>(by_id + Row * id, &place_of_id_[index(id)], std::min(ids_of_part, edges - id),
                    static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(count), to,
                    scratch + Row * slot * block);
    });
    parallel_in_slots(slots, last - first, [&](std::int64_t b, std::int64_t slot) {
      const std::int64_t at = b * block;
      order_block<Row>(&place_in_block_[index(begin + at)], std::min(block, count - at), to + Row * at,
                       scratch + Row * slot * block);
    });
  };
  if (row == 4) move.template operator()<4>();
  else move.template operator()<8>();
}

}  // namespace stg
