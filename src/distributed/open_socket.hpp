// open_socket: TCP between ranks, whatever networks their hosts share.
#pragma once

#include <chrono>   // milliseconds
#include <cstddef>  // size_t
#include <string>   // string
#include <vector>   // vector

namespace stg::detail {

/// A socket; -1: none.
class open_socket {
 public:
  explicit open_socket(int descriptor = -1) : descriptor_(descriptor) {}
  open_socket(open_socket&& from) noexcept : descriptor_(from.descriptor_) { from.descriptor_ = -1; }
  open_socket& operator=(open_socket&& from) noexcept;
  ~open_socket();

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

/// How long a connection or an answer may take.
inline constexpr std::chrono::milliseconds connect_patience{2'000};

/// A port of this host's, on all of its networks. Error where there is none.
open_socket opened_port();
/// Who connected to it; none where nobody did.
open_socket accepted(int port);
/// "host port address address ...", of a port of this host.
std::string own_address(int port);
/// Its port, and the addresses to try. Of this host's own ranks the loopback is the first: it needs no network.
std::string port_of(const std::string& address);
std::vector<std::string> hosts_of(const std::string& address);
/// A connection, or none.
open_socket connected(const std::string& host, const std::string& port, std::chrono::milliseconds at_most);

/// Whether all bytes went, or came in time.
bool sent_whole(int line, const void* bytes, std::size_t count);
bool received_whole(int line, void* bytes, std::size_t count, std::chrono::milliseconds at_most);
/// Reads and forgets for some milliseconds; whether the other has ended the connection.
bool has_ended(int line, char* room, std::size_t bytes);

}  // namespace stg::detail
