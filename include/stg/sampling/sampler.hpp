// The common part of all samplers: batches for seeds and a number, reused scratch.
#pragma once

#include <stg/sampling/batch.hpp>  // batch
#include <stg/sampling/ids.hpp>    // STG_TAKES_SEEDS

#include <concepts>          // integral
#include <cstdint>           // int32_t, uint64_t
#include <initializer_list>  // initializer_list
#include <memory>            // unique_ptr
#include <span>              // span

namespace stg {

namespace detail {
class batch_writer;
class sampled_kinds;
}  // namespace detail

/// Makes batches of one graph. The same seeds and number give the same batch, bit by bit, on every machine and in every
/// thread; a different number gives a different one. Draws for a vertex are a function of the number, the hop and the
/// vertex's id, so they depend on no order. May be used from several threads at a time, each with scratch of its own: 8
/// bytes for each vertex of the graph, kept until the sampler goes. Moved, not copied.
///
/// Errors of all: a seed that is no vertex of the graph, and a repeated seed, both with their positions.
class sampler {
 public:
  virtual ~sampler();
  sampler(const sampler&) = delete;
  sampler& operator=(const sampler&) = delete;

  batch sample(std::span<const std::int32_t> seeds, std::uint64_t number) const;
  batch sample(std::initializer_list<std::int32_t> seeds, std::uint64_t number) const {
    return sample(std::span<const std::int32_t>(seeds.begin(), seeds.size()), number);
  }
  /// Samples into an existing batch's memory. After an error the batch is empty.
  void sample_into(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) const;

  /// Of ids of another type: what to write.
  template <detail::OtherIds Ids> STG_SAYS_SEEDS(Ids) batch sample(const Ids&, std::uint64_t) const {
    STG_CHECK_SEEDS(Ids);
    return {};
  }
  template <detail::OtherIds Ids> STG_SAYS_SEEDS(Ids) void sample_into(batch&, const Ids&, std::uint64_t) const {
    STG_CHECK_SEEDS(Ids);
  }

  template <std::integral Number, class Ids>
    requires(!std::integral<Ids>)
  batch sample(Number, const Ids&)
  const {
    constexpr bool seeds_are_first = sizeof(Ids) == 0;
    static_assert(seeds_are_first, STG_SAMPLES_WITHOUT_A_NUMBER);
    return {};
  }
  /// Without a number: what to write.
  template <class Ids> STG_SAYS_NUMBER(Ids) batch sample(const Ids&) const {
    constexpr bool has_a_number = sizeof(Ids) == 0 || STG_SAYS_AT_CALLS;
    static_assert(has_a_number, STG_SAMPLES_WITHOUT_A_NUMBER);
    return {};
  }

  /// The large graph, on the host.
  const graph& of() const& { return graph_; }
  graph of() && { return graph_; }

 protected:
  explicit sampler(const graph& g);
  sampler(sampler&&) noexcept;
  virtual void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const = 0;
  const detail::sampled_kinds& kinds() const { return *kinds_; }

 private:
  graph graph_;
  std::unique_ptr<const detail::sampled_kinds> kinds_;
};

}  // namespace stg
