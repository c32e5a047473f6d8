// Values that depend on fixed inputs alone, kept from call to call with what they were computed from.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uint64_t
#include <memory>   // shared_ptr

#include <stg/runtime/dimensions.hpp>  // dimensions
#include <stg/runtime/graph.hpp>       // graph

namespace stg {

/// A fixed input of one call: its memory and shape, or the bits of the number that it is bound to.
struct fixed_input {
  const void* data = nullptr;
  dimensions shape{};
  std::uint64_t number = 0;
  bool operator==(const fixed_input&) const = default;
};

/// All that kept values depend on. `form` is the address of something that tells one program from another; the extents
/// are the program's.
struct kept_key {
  const void* form = nullptr;
  const graph* on = nullptr;
  const fixed_input* inputs = nullptr;
  int input_count = 0;
  const std::int64_t* extents = nullptr;
  int extent_count = 0;
};

/// What fills a block of memory with the values of a key.
struct kept_computation {
  virtual void operator()(std::byte* memory) const = 0;

 protected:
  ~kept_computation() = default;
};

/// What the calls of one compiled program keep: for every form that they bind fixed inputs in, the values for the last
/// graph and tensors. Copies share one store. Safe to use from several threads; values stay as they are while somebody
/// holds them.
class kept_store {
 public:
  kept_store();

  /// The memory of a key's values, `bytes` of it, where the key's graph lies, for as long as it is held. If they are
  /// not those of the form's last call, they are computed, by one thread at a time. Allocates nothing for the same key.
  std::shared_ptr<void> get(const kept_key& key, std::int64_t bytes, const kept_computation& compute) const;
  /// How often values were computed.
  std::uint64_t runs() const;
  /// The next call of every form computes anew.
  void forget() const;

 private:
  std::shared_ptr<void> state_;  // in src/runtime/kept.cpp
};

}  // namespace stg
