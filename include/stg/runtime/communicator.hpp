// communicator: messages between the ranks that a graph is cut over. Threads of a process, processes of MPI.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <memory>       // unique_ptr
#include <span>         // span
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

/// The bytes of a message, or room for them.
struct message_room {
  std::unique_ptr<std::byte[]> data{};
  std::int64_t capacity = 0, bytes = 0;
};

/// One of several ranks, numbered from 0, that run the same program on parts of one graph.
///
/// Messages from one rank to another are told apart by tags, and arrive whole. A failing rank tells the others: a call
/// waiting for a message then throws an error with the rank and the reason. So does a call after too long a wait. Calls
/// of one rank come from one thread at a time.
class communicator {
 public:
  virtual ~communicator();

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends bytes to a rank, this one included.
  virtual void send(int to, std::uint64_t tag, message_room message) = 0;
  /// The same of a copy: the memory is the caller's again at once.
  void send(int to, std::uint64_t tag, const std::byte* data, std::int64_t bytes);
  /// Says where a message is to lie that `receive` will wait for. The memory stays until then.
  virtual void expect(int from, std::uint64_t tag, std::byte* to, std::int64_t bytes) = 0;
  /// Waits until the message lies there. Errors: a message of another length, a rank that failed, no message in time.
  virtual void receive(int from, std::uint64_t tag) = 0;
  /// Whether `receive` would return at once. A rank that cannot tell says that it would.
  virtual bool has_come(int /*from*/, std::uint64_t /*tag*/) { return true; }
  /// Lets messages go on while this rank computes.
  virtual void progress() {}
  /// Ends the calls that others wait in: this rank does not go on, and why.
  virtual void fail(std::string_view why) noexcept = 0;

  /// Room for a message, of messages that have come or gone, if one is large enough and not too large.
  message_room room_for(std::int64_t bytes);
  /// Keeps the room of a message for another.
  void keep(message_room room);

  /// A tag that no message has had: ranks that run the same calls number them alike.
  std::uint64_t next_tag() { return tag_++; }
  /// What this rank has sent so far.
  std::int64_t sent_messages() const { return messages_; }
  std::int64_t sent_bytes() const { return bytes_; }

 protected:
  void count_sent(std::int64_t bytes) {
    ++messages_;
    bytes_ += bytes;
  }

 private:
  std::uint64_t tag_ = 0;
  std::int64_t messages_ = 0, bytes_ = 0;
  std::vector<message_room> spare_{};
};

/// Waits until all ranks are here.
void barrier(communicator& ranks);

/// The first of some numbers that not all ranks say alike, as many of each, or -1. Every rank gets the same answer.
///
///   if (stg::first_difference(ranks, {{hash_of_program, hash_of_sizes}}) == 0) ...
int first_difference(communicator& ranks, std::span<const std::uint64_t> numbers);
/// Whether all ranks say so.
bool all_say(communicator& ranks, bool mine);

}  // namespace stg
