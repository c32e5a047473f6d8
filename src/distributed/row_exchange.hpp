// Rows of features that ranks send each other for their batches.
#pragma once

#include <stg/distributed/micro_batch.hpp>    // owned_source, row_room
#include <stg/distributed/vertex_owners.hpp>  // vertex_owners

#include <array>    // array
#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t, uint64_t
#include <memory>   // make_shared, shared_ptr
#include <span>     // span
#include <vector>   // vector

namespace stg::detail {

/// The rows of other ranks that one batch reads, asked for once each.
struct asked_rows {
  std::vector<std::int32_t> vertices{};  // by their owner, ascending
  std::vector<std::int64_t> first{};     // (ranks + 1) in `vertices`
  struct place {
    std::int64_t row;    // of the micro batch
    std::int64_t asked;  // in `vertices`
  };
  std::vector<std::vector<place>> places{};  // by micro batch

  /// Room for messages, which may come in while the batch waits.
  struct messages {
    std::vector<std::uint64_t> counts{};              // by rank: rows that it asks for
    std::vector<std::vector<std::int32_t>> theirs{};  // by rank: their vertices
    std::vector<std::byte> arriving{};                // rows: by owner, table, vertex
  };
  std::shared_ptr<messages> in = std::make_shared<messages>();
  std::array<std::uint64_t, 3> tags{};  // of counts, vertices and rows
};

/// Asks the owners of vertices for rows, and answers. Between two ranks and for a batch there are a message with the
/// number of rows each way and, where there are any, one with their vertices and one with rows of all tables.
/// `ask`, `answer` and `complete` are called in the same order on all ranks, in one thread.
class row_exchange {
 public:
  explicit row_exchange(const vertex_owners& owners) : owners_(owners) {}

  void add(const owned_source& table);
  bool is_needed() const { return !tables_.empty() && ranks().size() > 1; }
  std::int64_t bytes_of_vertex() const { return bytes_of_vertex_; }
  /// Keeps the rows of other ranks' vertices with most out-edges, as many as fit. All ranks call it, once.
  void fill_cache(const std::vector<std::int32_t>& vertices);

  /// Writes the rows of a micro batch that this rank has, to a place for each table, and notes the others. In several
  /// threads at a time, for a batch each.
  void write_local(std::span<const std::int32_t> vertices, std::span<std::byte* const> to, asked_rows& batch,
                   std::size_t micro) const;
  /// Sorts the rows to ask for, once all micro batches are noted.
  void sort(asked_rows& batch, std::size_t micro_batches) const;

  void ask(asked_rows& batch);
  void answer(asked_rows& batch);
  void complete(asked_rows& batch);
  /// Writes the rows that came to the places of a micro batch. `to` as above.
  void write_arrived(const asked_rows& batch, std::size_t micro, std::span<std::byte* const> to) const;

  const vertex_owners& owners() const { return owners_; }
  communicator& ranks() const { return owners_.ranks(); }

 private:
  template <class Body> void each_other(const Body& body) const {
    for (int other = 0; other < ranks().size(); ++other)
      if (other != ranks().rank()) body(other);
  }
  const std::byte* arrived(const asked_rows& batch, std::size_t table, std::int64_t asked) const;
  void send_rows(int to, std::uint64_t tag, const std::vector<std::int32_t>& vertices) const;

  vertex_owners owners_;
  std::vector<const owned_source*> tables_{};
  std::vector<std::int64_t> bytes_before_{};  // of a vertex's rows in earlier tables
  std::int64_t bytes_of_vertex_ = 0;
  std::vector<std::int32_t> kept_place_{};  // (vertices) in the cache, or -1; empty without one
  asked_rows kept_{};                       // the cache
};

}  // namespace stg::detail
