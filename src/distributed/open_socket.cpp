// The system's calls on sockets.
#include "open_socket.hpp"

#include <cerrno>   // errno
#include <cstring>  // strerror
#include <memory>   // unique_ptr
#include <sstream>  // istringstream
#include <utility>  // swap

#include <fcntl.h>       // O_NONBLOCK
#include <ifaddrs.h>     // getifaddrs
#include <net/if.h>      // IFF_UP
#include <netdb.h>       // getaddrinfo, getnameinfo
#include <netinet/in.h>  // sockaddr_in6
#include <poll.h>        // poll
#include <sys/socket.h>  // socket
#include <unistd.h>      // close, gethostname

#include <stg/base/error.hpp>  // error

namespace stg::detail {

open_socket& open_socket::operator=(open_socket&& from) noexcept {
  std::swap(descriptor_, from.descriptor_);
  return *this;
}
open_socket::~open_socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

namespace {

using std::chrono::milliseconds;

constexpr int kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

bool waited_for(int line, short events, milliseconds at_most) {
  pollfd one{line, events, 0};
  return poll(&one, 1, static_cast<int>(at_most.count())) == 1;
}

/// A port that the system chooses, for one family of addresses.
open_socket listening(int family) {
  open_socket port(socket(family, kind, 0));
  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  sockaddr_in any4{};
  any4.sin_family = AF_INET;
  const int no = 0;
  if (family == AF_INET6 && port.is_open())
    setsockopt(port.descriptor(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);  // of both families
  const auto* const any = family == AF_INET6 ? reinterpret_cast<sockaddr*>(&any6) : reinterpret_cast<sockaddr*>(&any4);
  const socklen_t length = family == AF_INET6 ? sizeof any6 : sizeof any4;
  if (port.is_open() && bind(port.descriptor(), any, length) == 0 && listen(port.descriptor(), SOMAXCONN) == 0)
    return port;
  return open_socket();
}

std::string host_name() {
  char name[256] = "unknown";
  (void)gethostname(name, sizeof name - 1);
  return name;
}

std::vector<std::string> words_of(const std::string& address) {
  std::istringstream from(address);
  std::vector<std::string> all;
  for (std::string word; from >> word;) all.push_back(word);
  return all;
}

struct free_addresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
struct free_interfaces {
  void operator()(ifaddrs* list) const { freeifaddrs(list); }
};

}  // namespace

open_socket opened_port() {
  open_socket port = listening(AF_INET6);
  if (!port.is_open()) port = listening(AF_INET);
  if (!port.is_open())
    throw error(std::string("the heartbeat of ranks has no port: ") + std::strerror(errno) +
                "; let the program open TCP ports, or turn the heartbeat off by a silence of 0");
  return port;
}

open_socket accepted(int port) { return open_socket(accept4(port, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

std::string own_address(int port) {
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  char host[NI_MAXHOST], service[NI_MAXSERV] = "0";
  getsockname(port, reinterpret_cast<sockaddr*>(&bound), &length);
  getnameinfo(reinterpret_cast<sockaddr*>(&bound), length, nullptr, 0, service, sizeof service, NI_NUMERICSERV);
  std::string all = host_name() + " " + service;
  ifaddrs* found = nullptr;
  if (getifaddrs(&found) != 0) return all;
  const std::unique_ptr<ifaddrs, free_interfaces> list(found);
  for (const ifaddrs* i = found; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0 || (i->ifa_flags & IFF_LOOPBACK) != 0) continue;
    const int family = i->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const socklen_t bytes = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (getnameinfo(i->ifa_addr, bytes, host, sizeof host, nullptr, 0, NI_NUMERICHOST) != 0) continue;
    if (std::string(host).find('%') != std::string::npos) continue;  // of one link alone
    if (all.size() + 64 < 1024) all += std::string(" ") + host;
  }
  return all;
}

std::string port_of(const std::string& address) { return words_of(address).at(1); }
std::vector<std::string> hosts_of(const std::string& address) {
  std::vector<std::string> words = words_of(address), hosts;
  if (words[0] == host_name()) hosts.push_back("127.0.0.1");
  hosts.insert(hosts.end(), words.begin() + 2, words.end());
  return hosts;
}

open_socket connected(const std::string& host, const std::string& port, milliseconds at_most) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return open_socket();
  const std::unique_ptr<addrinfo, free_addresses> list(found);
  open_socket line(socket(found->ai_family, kind, 0));
  if (!line.is_open()) return line;
  if (connect(line.descriptor(), found->ai_addr, found->ai_addrlen) == 0) return line;
  int problem = 0;
  socklen_t length = sizeof problem;
  if (errno != EINPROGRESS || !waited_for(line.descriptor(), POLLOUT, at_most) ||
      getsockopt(line.descriptor(), SOL_SOCKET, SO_ERROR, &problem, &length) != 0 || problem != 0)
    return open_socket();
  return line;
}

bool sent_whole(int line, const void* bytes, std::size_t count) {
  return send(line, bytes, count, MSG_NOSIGNAL) == static_cast<ssize_t>(count);
}
bool received_whole(int line, void* bytes, std::size_t count, milliseconds at_most) {
  const auto last = std::chrono::steady_clock::now() + at_most;
  for (std::size_t got = 0; got < count;) {
    const auto left = std::chrono::duration_cast<milliseconds>(last - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !waited_for(line, POLLIN, left)) return false;
    const ssize_t now = recv(line, static_cast<char*>(bytes) + got, count - got, 0);
    if (now <= 0) return false;
    got += static_cast<std::size_t>(now);
  }
  return true;
}
bool has_ended(int line, char* room, std::size_t bytes) {
  if (!waited_for(line, POLLIN, milliseconds(20))) return false;
  const ssize_t got = recv(line, room, bytes, 0);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

}  // namespace stg::detail
