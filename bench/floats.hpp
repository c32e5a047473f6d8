// Arrays of floats on huge pages: what every contestant reads and writes, so that none pays for another's page tables.
#pragma once

#include <stg/runtime/arena.hpp>   // arena
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int64_t
#include <cstring>  // memset

/// `count` floats, zero, in one arena: aligned to 64 bytes, from 2 MiB on to 2 MiB and advised for huge pages.
///
///   floats x(graph.vertices() * 64);
///   layer(graph, h = x.as({graph.vertices(), 64}));      // a view, without a copy
class floats {
 public:
  floats() = default;
  explicit floats(std::int64_t count) : count_(count) {
    memory_.reserve(count * std::int64_t{sizeof(float)});
    if (count > 0) std::memset(memory_.data(), 0, static_cast<std::size_t>(count) * sizeof(float));
  }

  float* data() { return reinterpret_cast<float*>(memory_.data()); }
  const float* data() const { return reinterpret_cast<const float*>(memory_.data()); }
  std::int64_t size() const { return count_; }
  float& operator[](std::int64_t i) { return data()[i]; }
  float operator[](std::int64_t i) const { return data()[i]; }
  /// A tensor over the same memory.
  stg::tensor<float> as(const stg::dimensions& shape) { return stg::tensor<float>::view_of(data(), shape); }

 private:
  stg::arena memory_;
  std::int64_t count_ = 0;
};
