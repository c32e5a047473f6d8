// Batches of one epoch after another, made ahead, with rows that they come with: what loaders of all batches have.
#pragma once

#include <stg/sampling/loaded.hpp>          // loaded
#include <stg/sampling/loader_options.hpp>  // batches_of_epoch, loader_options, row_cache
#include <stg/sampling/row_source.hpp>      // vertex_rows, edge_rows, row_source

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <functional>   // function
#include <iterator>     // default_sentinel_t
#include <memory>       // unique_ptr
#include <span>         // span
#include <string_view>  // string_view
#include <utility>      // forward, move
#include <vector>       // vector

namespace stg::detail {

template <class Batch> struct loading;

/// Of plain batches or of batches of several kinds. Rows are of a set or a relation, which have no name in a plain
/// graph.
template <class Batch> class loader_of {
  using large = decltype(Batch::large);

 public:
  /// Makes a batch of some items, drawn without replacement: for a user's own batches. Called by several threads at a
  /// time.
  using maker = std::function<void(Batch& to, std::span<const std::int32_t> items, std::uint64_t number)>;

  /// Batches of an epoch.
  std::int64_t batches() const;
  /// The large graph, or the large graphs.
  const large& of() const&;
  large of() && { return of(); }

  using batches_of_epoch = detail::batches_of_epoch<loader_of, loaded<Batch>>;
  /// The batches of an epoch, counted from 0, once. Error for a negative one, and from 2^62 batches on.
  batches_of_epoch epoch(std::int64_t epoch) &;
  void epoch(std::int64_t epoch) && = delete;  // stg: the loader is gone with its batches; give it a name first
  template <class Epoch = batches_of_epoch> Epoch epoch() {
    constexpr bool fits = sizeof(Epoch) == 0;
    static_assert(fits, STG_EPOCH_WITHOUT_A_NUMBER);
    return epoch(0);
  }
  /// Of a loop over the loader itself: what to write.
  template <class Epoch = batches_of_epoch> typename Epoch::iterator begin() {
    constexpr bool fits = sizeof(Epoch) == 0;
    static_assert(fits, STG_LOOPS_OVER_A_LOADER);
    return epoch(0).begin();
  }
  template <class Epoch = batches_of_epoch> std::default_sentinel_t end() { return {}; }

 protected:
  loader_of();
  loader_of(loader_of&&) noexcept;
  ~loader_of();
  void start(const large& of, std::vector<std::int32_t> items, std::int64_t batches, maker make,
             const loader_options& options);

  template <class Source, class Tensor> row_place add_rows(std::string_view set, Tensor&& from) {
    check_rows(set, from.shape());
    return add(make_source<Source>(std::forward<Tensor>(from)), set, false);
  }
  template <TensorElement T>
  row_place add_fetched(std::string_view set, const dimensions& row, typename cached_source<T>::fetch get,
                        row_cache cache) {
    check_open();
    return add(make_source<cached_source<T>>(row, std::move(get), vertices(set), most_reached(set, cache.rows)), set,
               false);
  }
  template <TensorElement T> row_place add_cached(std::string_view set, const_tensor<T> from, row_cache cache) {
    check_rows(set, from.shape());
    const dimensions row = without_rows(from.shape());
    return add_fetched<T>(set, row, rows_of(std::move(from)), cache);
  }
  template <TensorElement T>
  row_place add_edges(std::string_view relation, const graph& edges, const edge_values<T>& from) {
    check_open();
    static_cast<void>(edges.to_input_order(from));  // for its errors
    return add(make_source<edge_source<T>>(from.values().clone()), relation, true);
  }

 private:
  friend batches_of_epoch;
  void check_open() const;
  void check_rows(std::string_view set, const dimensions& shape) const;
  std::int64_t vertices(std::string_view set) const;
  std::vector<std::int32_t> most_reached(std::string_view set, std::int64_t count) const;
  row_place add(std::unique_ptr<row_source> source, std::string_view of, bool is_relation);
  const loaded<Batch>* take(std::int64_t number);

  std::unique_ptr<loading<Batch>> state_;
};

}  // namespace stg::detail
