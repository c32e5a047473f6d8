// communicator: messages between the ranks that a graph is cut over. Threads of a process, processes of MPI.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <compare>      // operator<=>
#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <functional>   // function
#include <memory>       // shared_ptr, unique_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// The bytes of a message, or room for them.
struct message_room {
  std::unique_ptr<std::byte[]> data{};
  std::int64_t capacity = 0, bytes = 0;
};

/// The name of a message by hand, how often it is a gradient's, and whether it is one of a sum's.
struct message_name {
  std::int64_t name = 0, gradients = 0;
  bool is_of_sum = false;

  auto operator<=>(const message_name&) const = default;
};
/// The messages that a rank waits for, as errors name them: "values of 'h' in call 14". The texts outlive the wait.
struct awaited {
  std::string_view what = "a message", of{};
  std::int64_t call = -1;
};
std::string to_string(const awaited& messages);

/// One of several ranks, numbered from 0, that run the same program on parts of one graph.
///
/// Messages from one rank to another are told apart by tags, and arrive whole. A failing rank tells the others: a call
/// waiting for a message then throws an error with the rank and the reason. So does a call after too long a wait, or
/// for a rank that has returned. Calls of one rank come from one thread at a time.
class communicator {
 public:
  virtual ~communicator();

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// A rank by its number, or by its distance from this one in a ring.
  int rank_of(int number, bool is_relative) const {
    if (!is_relative) return number;
    const std::int64_t to = (std::int64_t{rank()} + number) % size();
    return static_cast<int>(to < 0 ? to + size() : to);
  }

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
  /// Waits until is_there() says so, for what comes by other ways than messages, as rows from device to device do.
  /// from: the rank that it is to come from; -1: several. Errors as those of `receive`.
  virtual void wait_until(int from, const std::function<bool()>& is_there);
  /// Lets messages go on while this rank computes.
  virtual void progress() {}
  /// Ends the calls that others wait in: this rank does not go on, and why.
  virtual void fail(std::string_view why) noexcept = 0;

  /// This rank is in a call that may take long without the processor, as one on files: it does not stand still.
  virtual void busy(bool) {}

  /// The messages that the next calls of `receive` wait for, for their errors.
  void waits_for(const awaited& messages) { awaited_ = messages; }
  const awaited& waits_for() const { return awaited_; }

  /// Room for a message, of messages that have come or gone, if one is large enough and not too large.
  message_room room_for(std::int64_t bytes);
  /// Keeps the room of a message for another.
  void keep(message_room room);

  /// Keeps memory that a message may still come to, after an error, until the communicator goes.
  void hold(std::shared_ptr<void> memory) { held_.push_back(std::move(memory)); }

  /// A tag that no message has had: ranks that run the same calls number them alike.
  std::uint64_t next_tag() { return tag_++; }
  /// Gives messages by hand a tag each, until the next call with such: all ranks say the same, in order.
  void number_messages(std::vector<message_name> names);
  std::uint64_t tag_of_message(const message_name& name) const;
  /// What this rank has sent so far.
  std::int64_t sent_messages() const { return messages_; }
  std::int64_t sent_bytes() const { return bytes_; }

 protected:
  void count_sent(std::int64_t bytes) {
    ++messages_;
    bytes_ += bytes;
  }

 private:
  awaited awaited_{};
  std::uint64_t tag_ = 0;
  std::int64_t messages_ = 0, bytes_ = 0;
  std::vector<message_room> spare_{};
  std::vector<message_name> named_{};
  std::uint64_t first_named_ = 0;
  std::vector<std::shared_ptr<void>> held_{};
};

/// Waits until all ranks are here.
void barrier(communicator& ranks);

/// The first of some numbers that not all ranks say alike, as many of each, or -1. Every rank gets the same answer.
///
///   if (stg::first_difference(ranks, {{hash_of_program, hash_of_sizes}}) == 0) ...
int first_difference(communicator& ranks, std::span<const std::uint64_t> numbers,
                     const awaited& messages = {"numbers to compare"});
/// The bytes that each rank gives, by rank, on every one.
std::vector<std::vector<std::byte>> gathered_bytes(communicator& ranks, std::span<const std::byte> mine,
                                                   const awaited& messages = {"messages to compare"});
/// Whether all ranks say so.
bool all_say(communicator& ranks, bool mine, const awaited& messages = {"a decision of all ranks"});
/// The least number that a rank says.
std::uint64_t least_said(communicator& ranks, std::uint64_t mine, const awaited& messages = {"a number to agree on"});
/// The number of rank 0, on all of them.
double agreed(communicator& ranks, double mine);

}  // namespace stg
