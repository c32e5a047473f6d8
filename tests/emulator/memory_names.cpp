// An ordered list of named runs of memory, one for each host thread as launches are.
#include "emulator/memory_names.hpp"

#include <cstdint>   // uintptr_t
#include <cstdio>    // snprintf
#include <iterator>  // prev
#include <map>

namespace stg::emulator {
namespace {

struct run {
  std::size_t bytes;
  std::string name;
};

std::map<std::uintptr_t, run>& names() {
  thread_local std::map<std::uintptr_t, run> all;
  return all;
}

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// The run that holds the address, or the end.
std::map<std::uintptr_t, run>::iterator find(std::uintptr_t p) {
  auto next = names().upper_bound(p);
  if (next == names().begin() || p - std::prev(next)->first >= std::prev(next)->second.bytes) return names().end();
  return std::prev(next);
}

}  // namespace

void name_memory(const void* p, std::size_t bytes, const std::string& name) {
  if (bytes == 0) return;
  auto overlapping = find(address(p));
  if (overlapping == names().end()) overlapping = names().lower_bound(address(p));
  while (overlapping != names().end() && overlapping->first < address(p) + bytes)
    overlapping = names().erase(overlapping);
  names()[address(p)] = {bytes, name};
}

void forget_names() { names().clear(); }

std::string name_of(const void* p) {
  if (const auto found = find(address(p)); found != names().end())
    return found->second.name + "+" + std::to_string(address(p) - found->first);
  char text[32];
  std::snprintf(text, sizeof text, "%p", p);
  return text;
}

bool is_named(const void* p, std::size_t bytes) {
  const auto found = find(address(p));
  return found != names().end() && address(p) - found->first + bytes <= found->second.bytes;
}

}  // namespace stg::emulator
