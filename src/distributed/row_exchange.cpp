// Messages of rows: a count, vertices, their rows.
#include "row_exchange.hpp"

#include <stg/base/error.hpp>  // error

#include <algorithm>  // lower_bound, sort, unique
#include <cstring>    // memcpy
#include <string>     // to_string
#include <utility>    // move

#include "../sampling/vertex_numbers.hpp"  // at

namespace stg::detail {

void row_exchange::add(const owned_source& table) {
  tables_.push_back(&table);
  bytes_before_.push_back(bytes_of_vertex_);
  bytes_of_vertex_ += table.row_bytes;
}

void row_exchange::fill_cache(const std::vector<std::int32_t>& vertices) {
  kept_.vertices = vertices;
  sort(kept_, 0);
  ask(kept_);
  answer(kept_);
  complete(kept_);
  if (vertices.empty()) return;
  kept_place_.assign(at(owners_.all_vertices()), -1);
  for (std::size_t i = 0; i < kept_.vertices.size(); ++i)
    kept_place_[at(kept_.vertices[i])] = static_cast<std::int32_t>(i);
}

void row_exchange::write_local(std::span<const std::int32_t> vertices, std::span<std::byte* const> to,
                               asked_rows& batch, std::size_t micro) const {
  if (batch.places.size() <= micro) batch.places.resize(micro + 1);
  auto& places = batch.places[micro];
  places.clear();
  const int mine = ranks().rank();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::int32_t v = vertices[i];
    const bool is_own = owners_.rank_of(v) == mine;
    const std::int32_t kept = is_own || kept_place_.empty() ? -1 : kept_place_[at(v)];
    if (!is_own && kept < 0) {
      places.push_back({static_cast<std::int64_t>(i), v});  // the vertex, until they are sorted
      batch.vertices.push_back(v);
      continue;
    }
    const std::int64_t own_row = is_own ? owners_.row_of(v) : 0;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::int64_t bytes = tables_[t]->row_bytes;
      if (bytes == 0) continue;
      const std::byte* const from = is_own ? tables_[t]->own + own_row * bytes : arrived(kept_, t, kept);
      std::memcpy(to[t] + static_cast<std::int64_t>(i) * bytes, from, at(bytes));
    }
  }
}

void row_exchange::sort(asked_rows& batch, std::size_t micro_batches) const {
  const auto before = [&](std::int32_t a, std::int32_t b) {
    const int of_a = owners_.rank_of(a), of_b = owners_.rank_of(b);
    return of_a != of_b ? of_a < of_b : a < b;
  };
  std::vector<std::int32_t>& all = batch.vertices;
  std::sort(all.begin(), all.end(), before);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  batch.first.assign(at(ranks().size()) + 1, 0);
  for (const std::int32_t v : all) ++batch.first[at(owners_.rank_of(v)) + 1];
  for (std::size_t r = 1; r < batch.first.size(); ++r) batch.first[r] += batch.first[r - 1];
  for (std::size_t m = 0; m < micro_batches; ++m)
    for (asked_rows::place& p : batch.places[m])
      p.asked = std::lower_bound(all.begin(), all.end(), static_cast<std::int32_t>(p.asked), before) - all.begin();
}

void row_exchange::ask(asked_rows& batch) {
  for (std::uint64_t& tag : batch.tags) tag = ranks().next_tag();
  asked_rows::messages& in = *batch.in;
  in.counts.assign(at(ranks().size()), 0);
  in.theirs.resize(at(ranks().size()));
  in.arriving.resize(batch.vertices.size() * at(bytes_of_vertex_));
  each_other([&](int other) {
    const std::int64_t first = batch.first[at(other)], count = batch.first[at(other) + 1] - first;
    ranks().expect(other, batch.tags[0], reinterpret_cast<std::byte*>(&in.counts[at(other)]), sizeof in.counts[0]);
    if (count > 0)
      ranks().expect(other, batch.tags[2], in.arriving.data() + first * bytes_of_vertex_, count * bytes_of_vertex_);
    const auto told = static_cast<std::uint64_t>(count);
    ranks().send(other, batch.tags[0], reinterpret_cast<const std::byte*>(&told), sizeof told);
    if (count > 0)
      ranks().send(other, batch.tags[1], reinterpret_cast<const std::byte*>(batch.vertices.data() + first),
                   count * static_cast<std::int64_t>(sizeof(std::int32_t)));
  });
}

void row_exchange::answer(asked_rows& batch) {
  asked_rows::messages& in = *batch.in;
  each_other([&](int other) {
    ranks().waits_for({"what rows of a batch are asked for"});
    ranks().receive(other, batch.tags[0]);
    auto& theirs = in.theirs[at(other)];
    theirs.resize(in.counts[at(other)]);
    if (!theirs.empty())
      ranks().expect(other, batch.tags[1], reinterpret_cast<std::byte*>(theirs.data()),
                     static_cast<std::int64_t>(theirs.size() * sizeof(std::int32_t)));
  });
  each_other([&](int other) {
    if (in.theirs[at(other)].empty()) return;
    ranks().waits_for({"the vertices of a batch"});
    ranks().receive(other, batch.tags[1]);
    send_rows(other, batch.tags[2], in.theirs[at(other)]);
  });
}

void row_exchange::send_rows(int to, std::uint64_t tag, const std::vector<std::int32_t>& vertices) const {
  message_room message = ranks().room_for(static_cast<std::int64_t>(vertices.size()) * bytes_of_vertex_);
  std::byte* next = message.data.get();
  for (const owned_source* table : tables_)
    for (const std::int32_t v : vertices) {
      if (v < 0 || v >= owners_.all_vertices() || owners_.rank_of(v) != ranks().rank())
        throw error("distributed_loader: rank " + std::to_string(to) + " asks rank " + std::to_string(ranks().rank()) +
                    " for the row of vertex " + std::to_string(v) + ", which it does not own");
      if (table->row_bytes > 0)
        std::memcpy(next, table->own + owners_.row_of(v) * table->row_bytes, at(table->row_bytes));
      next += table->row_bytes;
    }
  ranks().send(to, tag, std::move(message));
}

void row_exchange::complete(asked_rows& batch) {
  each_other([&](int other) {
    ranks().waits_for({"rows of a batch"});
    if (batch.first[at(other)] < batch.first[at(other) + 1]) ranks().receive(other, batch.tags[2]);
  });
}

const std::byte* row_exchange::arrived(const asked_rows& batch, std::size_t table, std::int64_t asked) const {
  const auto owner = at(owners_.rank_of(batch.vertices[at(asked)]));
  const std::int64_t first = batch.first[owner], count = batch.first[owner + 1] - first;
  return batch.in->arriving.data() + first * bytes_of_vertex_ + count * bytes_before_[table] +
         (asked - first) * tables_[table]->row_bytes;
}

void row_exchange::write_arrived(const asked_rows& batch, std::size_t micro, std::span<std::byte* const> to) const {
  for (const asked_rows::place& p : batch.places[micro])
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const std::int64_t bytes = tables_[t]->row_bytes;
      if (bytes > 0) std::memcpy(to[t] + p.row * bytes, arrived(batch, t, p.asked), at(bytes));
    }
}

}  // namespace stg::detail
