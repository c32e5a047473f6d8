// The beating thread, and the words that ranks send each other.
#include "heartbeat.hpp"

#include <algorithm>  // min
#include <cerrno>     // errno
#include <cstring>    // memcpy
#include <utility>    // move

#include <poll.h>        // poll
#include <sys/socket.h>  // recv, send
#include <time.h>        // clock_gettime

#include <stg/base/error.hpp>  // error

#include "open_socket.hpp"  // accepted, connected, opened_port, own_address

namespace stg::detail {

namespace {

std::size_t nth_rank(int rank) { return static_cast<std::size_t>(rank); }
std::string rank_text(int rank) { return "rank " + std::to_string(rank); }
std::int64_t milliseconds_of(clockid_t clock) {
  timespec used{};
  clock_gettime(clock, &used);
  return std::int64_t{used.tv_sec} * 1000 + used.tv_nsec / 1'000'000;
}

}  // namespace

heartbeat::heartbeat(int rank, int size, heartbeat_options options)
    : rank_(rank),
      options_(std::move(options)),
      port_(opened_port()),
      address_(own_address(port_.descriptor())),
      peers_(nth_rank(size)) {}

heartbeat::~heartbeat() {
  ends_ = true;
  if (beating_.joinable()) beating_.join();
  if (!is_over_) leave();
}

/// Says so, and waits until the others did: a connection that is closed with unread beats loses what was said last.
void heartbeat::leave() {
  const std::lock_guard lock(mutex_);
  tell(word::leaves);
  for (const peer& p : peers_)
    if (p.line.is_open()) shutdown(p.line.descriptor(), SHUT_WR);
  const clock::time_point last = clock::now() + options_.grace;
  for (peer& p : peers_)
    for (char bytes[4096]; p.line.is_open() && clock::now() < last;)
      if (has_ended(p.line.descriptor(), bytes, sizeof bytes)) p.line = open_socket();
}

void heartbeat::connect(const std::vector<std::string>& addresses, std::uint64_t job) {
  job_ = job;
  beating_ = std::thread([this] { beat_on(); });
  const clock::time_point last = clock::now() + options_.to_connect;
  const auto refuse = [&](int rank) {
    throw error(rank_text(rank_) + " has no connection to " + rank_text(rank) + ", at " + addresses[nth_rank(rank)] +
                "; let the hosts reach each other by TCP, or turn the heartbeat off by a silence of 0");
  };
  for (int other = 0; other < rank_; ++other)
    while (!reach(other, addresses[nth_rank(other)])) {
      if (clock::now() > last) refuse(other);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  while (const int missing = first_without_line() + 1) {
    if (clock::now() > last) refuse(missing - 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool heartbeat::reach(int rank, const std::string& address) {
  for (const std::string& host : hosts_of(address)) {
    open_socket line = connected(host, port_of(address), std::min(options_.to_connect / 4, connect_patience));
    if (!line.is_open()) continue;
    const hello mine{job_, rank_, rank};
    char answer = 0;
    if (!sent_whole(line.descriptor(), &mine, sizeof mine)) continue;
    if (!received_whole(line.descriptor(), &answer, 1, connect_patience) || answer != '!') continue;
    keep_line(rank, std::move(line));
    return true;
  }
  return false;
}

void heartbeat::take_new_lines() {
  for (;;) {
    open_socket line = accepted(port_.descriptor());
    if (!line.is_open()) return;
    hello theirs{};
    if (!received_whole(line.descriptor(), &theirs, sizeof theirs, std::chrono::milliseconds(500))) continue;
    if (theirs.job != job_ || theirs.to != rank_ || theirs.from <= rank_) continue;  // of a stranger
    if (theirs.from >= static_cast<int>(peers_.size()) || !sent_whole(line.descriptor(), "!", 1)) continue;
    keep_line(theirs.from, std::move(line));
  }
}

void heartbeat::keep_line(int rank, open_socket line) {
  const std::lock_guard lock(mutex_);
  peer& p = peers_[nth_rank(rank)];
  p.line = std::move(line);
  p.heard = clock::now();
}
int heartbeat::first_without_line() {
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < peers_.size(); ++r)
    if (static_cast<int>(r) != rank_ && !peers_[r].line.is_open()) return static_cast<int>(r);
  return -1;
}

// ---- the beating thread ----

void heartbeat::beat_on() {
  clock::time_point next = clock::now();
  while (!ends_) {
    wait_for_something(std::min(options_.every, std::chrono::milliseconds(50)));
    take_new_lines();
    bool is_late = false;
    {
      const std::lock_guard lock(mutex_);
      for (int r = 0; r < static_cast<int>(peers_.size()); ++r) hear(r);
      const clock::time_point now = clock::now();
      look_for_silence(now);
      if (now >= next) {
        look_at_work();
        tell(has_returned_ ? word::returned : waits_ ? word::waits : word::computes);
        next = now + options_.every;
      }
      is_late = is_over_ && now - lost_at_ > options_.grace;
    }
    if (is_late) return options_.end(verdict());
  }
}

void heartbeat::wait_for_something(std::chrono::milliseconds at_most) {
  std::vector<pollfd> watched{{port_.descriptor(), POLLIN, 0}};
  {
    const std::lock_guard lock(mutex_);
    for (const peer& p : peers_)
      if (p.line.is_open()) watched.push_back({p.line.descriptor(), POLLIN, 0});
  }
  poll(watched.data(), static_cast<nfds_t>(watched.size()), static_cast<int>(at_most.count()));
}

/// Reads the beats of a rank. A connection that ends before the rank took its leave is a death.
void heartbeat::hear(int rank) {
  peer& p = peers_[nth_rank(rank)];
  char bytes[4096];
  while (p.line.is_open()) {
    const ssize_t got = recv(p.line.descriptor(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      p.line = open_socket();
      if (!p.left) lose(rank_text(rank) + " has ended without returning from its work");
      break;
    }
    p.heard = clock::now();
    p.read.append(bytes, static_cast<std::size_t>(got));
    beat b;
    while (p.read.size() >= sizeof b) {
      std::memcpy(&b, p.read.data(), sizeof b);
      if (p.read.size() < sizeof b + b.length) break;
      take_beat(rank, b, std::string_view(p.read).substr(sizeof b, b.length));
      p.read.erase(0, sizeof b + b.length);
    }
  }
}

void heartbeat::take_beat(int rank, const beat& b, std::string_view text) {
  peer& p = peers_[nth_rank(rank)];
  if (b.says == word::failed && !is_over_) {
    was_told_ = true;
    lose(rank_text(rank) + " failed: " + std::string(text));
  }
  p.left = p.left || b.says == word::leaves || b.says == word::failed;
  p.does.waits = b.says == word::waits;
  p.does.returned = p.does.returned || b.says == word::returned || b.says == word::leaves;
  p.does.pulse = b.pulse;
}

/// A rank that was stopped itself has heard nobody meanwhile, and gives all of them time.
void heartbeat::look_for_silence(clock::time_point now) {
  const bool was_away = now - looked_at_ > options_.silence / 4;
  looked_at_ = now;
  for (int r = 0; r < static_cast<int>(peers_.size()); ++r) {
    peer& p = peers_[nth_rank(r)];
    if (!p.line.is_open()) continue;
    if (was_away) p.heard = now;
    if (now - p.heard > options_.silence)
      lose(rank_text(r) + " has been silent for " + std::to_string(options_.silence.count() / 1000) + " s");
  }
}

void heartbeat::lose(const std::string& why) {
  if (is_over_) return;
  verdict_ = why;
  lost_at_ = clock::now();
  is_over_ = true;
}

/// Notes the processor time that others than this thread used outside of waits; a busy rank counts as using it.
void heartbeat::look_at_work() {
  constexpr std::int64_t some_work = 10;  // milliseconds
  if (!waits_)
    work_ = static_cast<std::uint64_t>(
        (milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) - milliseconds_of(CLOCK_THREAD_CPUTIME_ID)) / some_work);
  if (is_busy_) ++busy_beats_;
}

void heartbeat::tell(word says, std::string_view text) {
  for (peer& p : peers_)
    if (p.line.is_open()) tell(p, says, text);
}
/// A connection takes thousands of beats before it is full: those of a rank that does not read are lost.
void heartbeat::tell(peer& p, word says, std::string_view text) {
  const beat b{says, static_cast<std::uint32_t>(text.size()), work_ + busy_beats_ + ended_waits_};
  char bytes[sizeof b + 1024];
  std::memcpy(bytes, &b, sizeof b);
  if (!text.empty()) std::memcpy(bytes + sizeof b, text.data(), text.size());
  (void)send(p.line.descriptor(), bytes, sizeof b + text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// ---- the rank's own thread ----

rank_activity heartbeat::activity(int rank) {
  const std::lock_guard lock(mutex_);
  const peer& other = peers_[nth_rank(rank)];
  rank_activity does = other.does;
  if (clock::now() - other.heard > 3 * options_.every) does.waits = false;  // nobody knows: it may have been cut off
  return does;
}
std::string heartbeat::verdict() {
  const std::lock_guard lock(mutex_);
  return verdict_;
}
void heartbeat::fail(std::string_view why) noexcept {
  const std::lock_guard lock(mutex_);
  tell(word::failed, why.substr(0, 1024));
  if (is_over_) return;
  lost_at_ = clock::now();  // the verdict stays empty: this rank has said why
  is_over_ = true;
}
void heartbeat::returned() {
  const std::lock_guard lock(mutex_);
  has_returned_ = true;
  tell(word::returned);
}
bool heartbeat::all_returned() {
  const std::lock_guard lock(mutex_);
  for (std::size_t r = 0; r < peers_.size(); ++r)
    if (static_cast<int>(r) != rank_ && !peers_[r].does.returned) return false;
  return true;
}

}  // namespace stg::detail
