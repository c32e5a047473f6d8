// Messages between the oracles of several ranks.
#pragma once

#include <cstddef>  // byte, size_t
#include <cstdint>  // int64_t, uint32_t, uint64_t
#include <vector>   // vector

#include <stg/codegen/oracle/bounded.hpp>  // bounded
#include <stg/ir/statement.hpp>            // statement
#include <stg/runtime/communicator.hpp>    // communicator

namespace stg::oracle {

/// The messages that one statement stands for. A tag is made of its name and the call.
class messages {
 public:
  messages(communicator& all, const ir::statement& s, std::uint32_t call)
      : ranks(all), other(all.rank_of(s.rank().number, s.rank().is_relative)), tag(tag_of(s, call)) {}

  using numbers = std::vector<detail::bounded>;

  void send(const numbers& x) const { send_to(other, x); }
  numbers receive(std::size_t count) const { return receive_from(other, count); }
  /// At one rank the sum over all, in their order; zeros elsewhere.
  numbers sum(numbers x) const {
    if (ranks.rank() != other) {
      send_to(other, x);
      return numbers(x.size());
    }
    numbers all(x.size());
    for (int r = 0; r < ranks.size(); ++r) {
      const numbers of_rank = r == other ? x : receive_from(r, x.size());
      for (std::size_t k = 0; k < x.size(); ++k) {
        all[k].value += of_rank[k].value;
        all[k].magnitude += of_rank[k].magnitude;
      }
    }
    return all;
  }
  /// One rank's value at all.
  numbers spread(const numbers& x) const {
    if (ranks.rank() != other) return receive_from(other, x.size());
    for (int r = 0; r < ranks.size(); ++r)
      if (r != other) send_to(r, x);
    return x;
  }

 private:
  static std::uint64_t tag_of(const ir::statement& s, std::uint32_t call) {
    const std::uint64_t named =
        static_cast<std::uint64_t>(s.message()) * 31 + static_cast<std::uint64_t>(s.gradients());
    return (named * 31 + call + (s.code == ir::opcode::sum_at_rank) * 7) | std::uint64_t(1) << 63;
  }
  void send_to(int rank, const numbers& x) const {
    ranks.send(rank, tag, reinterpret_cast<const std::byte*>(x.data()), bytes_of(x.size()));
  }
  numbers receive_from(int rank, std::size_t count) const {
    numbers x(count);
    ranks.expect(rank, tag, reinterpret_cast<std::byte*>(x.data()), bytes_of(count));
    ranks.receive(rank, tag);
    return x;
  }
  static std::int64_t bytes_of(std::size_t count) { return static_cast<std::int64_t>(count * sizeof(detail::bounded)); }

  communicator& ranks;
  int other;
  std::uint64_t tag;
};

}  // namespace stg::oracle
