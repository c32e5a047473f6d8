// Checkpoints of ranks: the folder that a run on the whole graph writes, whatever the number of ranks.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // uint64_t
#include <exception>    // current_exception, exception_ptr
#include <memory>       // unique_ptr
#include <new>          // bad_alloc
#include <optional>     // optional
#include <string>       // string
#include <tuple>        // apply, tuple
#include <type_traits>  // is_same_v, remove_cvref_t
#include <utility>      // move
#include <vector>       // vector

#include <stg/data/checkpoint.hpp>                // Resumable, read_object
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph

namespace stg {

namespace detail {

/// Calls body(name, tensor, whether it has a row for each vertex) for all that a checkpoint has of a set or an object.
/// A tensor that is made for the call is moved into it.
template <class... Named, class Body>
void each_file(named_values<Named...>& set, const std::string& folder, const Body& body) {
  boost::hana::for_each(set.items(), [&](auto& item) {
    using value = std::remove_cvref_t<decltype(item.value)>;
    constexpr bool is_tensor = std::is_same_v<value, tensor<typename value::value_type>>;
    static_assert(is_tensor, "stg: a checkpoint of ranks has no edge values; train features of vertices");
    if constexpr (is_tensor) body(folder + std::string(item.text()), item.value, item.begins.has_vertex_rows);
  });
}
template <Resumable Object, class Body> void each_file(Object& object, const std::string&, const Body& body) {
  for (const auto& set : object.state_sets()) each_file(*set.values, state_folder<Object>(set.name), body);
  body(state_folder<Object>() + "numbers", object.state_numbers(), false);
}
template <class T> const std::byte* bytes_of(const tensor<T>& t) {
  return reinterpret_cast<const std::byte*>(t.data());
}

/// Numbers of files, which all ranks are to have alike.
class compared_files {
 public:
  /// A file's contents. wrong_on_rank: the rank whose own are others, if it is this one.
  void add(const std::string& file, const dimensions& shape, const std::byte* data, std::int64_t bytes,
           int wrong_on_rank = -1);
  /// Error with the first file of which ranks have different contents.
  void compare(communicator& ranks, const char* call) const;

 private:
  std::vector<std::string> files_{};
  std::vector<std::uint64_t> numbers_{};
};
bool are_equal(const std::byte* a, const std::byte* b, std::int64_t bytes);
/// All ranks are here, each with the error that it met, if any. A rank throws its own; the others say that one did.
void end_together(communicator& ranks, const std::exception_ptr& mine, const char* call, const std::string& folder);

/// Writes on rank 0 what it is given on all.
class part_writer {
 public:
  part_writer(const distributed_graph& part, const std::string& path) : part_(part), path_(path) {}

  template <class... Objects> void write(Objects&... objects) {
    compared_files all;
    (each_file(objects, {},
               [&](const std::string& name, const auto& values, bool has_vertex_rows) {
                 const std::string file = is_safetensors(path_) ? "tensor " + name : array_file(name);
                 if (!has_vertex_rows) return all.add(file, values.shape(), bytes_of(values), values.bytes());
                 const auto whole = part_.gathered(values);
                 const auto mine = part_.rows(whole);
                 const bool is_right = are_equal(bytes_of(mine), bytes_of(values), values.bytes());
                 all.add(file, whole.shape(), bytes_of(whole), whole.bytes(), is_right ? -1 : part_.ranks().rank());
               }),
     ...);
    all.compare(part_.ranks(), "save_checkpoint");
    part_.ranks().busy(true);
    attempt([&] { files_.reset(new checkpoint_output(path_)); });
    (each_file(objects, {},
               [&]<class Tensor>(const std::string& name, Tensor&& values, bool has_vertex_rows) {
                 if (!has_vertex_rows) return attempt([&] { files_->write(name, std::forward<Tensor>(values)); });
                 auto whole = part_.gathered(values);
                 attempt([&] { files_->write(name, std::move(whole)); });
               }),
     ...);
    attempt([&] { files_->put_in_place(); });
    files_.reset();
    part_.ranks().busy(false);
    end_together(part_.ranks(), problem_, "save_checkpoint", path_);
  }

 private:
  /// On rank 0, as long as nothing went wrong: the others are in the calls to come, and wait for it there.
  template <class Work> void attempt(const Work& work) {
    if (part_.ranks().rank() != 0 || problem_) return;
    try {
      work();
    } catch (...) {
      problem_ = std::current_exception();
    }
  }

  const distributed_graph& part_;
  const std::string& path_;
  std::unique_ptr<checkpoint_output> files_{};
  std::exception_ptr problem_{};
};

}  // namespace detail

/// save_checkpoint of ranks, in one folder that a run on any number of ranks continues, one rank included, and a run on
/// the whole graph too. Rank 0 writes; trained features of vertices are gathered. All ranks call it. Errors, on all
/// ranks: the errors of save_checkpoint, and values that not all ranks have alike, with their file's name.
///
///   stg::save_checkpoint(part, "run", params, optimizer);
template <class... Objects>
void save_checkpoint(const distributed_graph& part, const std::string& folder, Objects&&... objects) try {
  constexpr bool all = (detail::belongs_to_checkpoints<std::remove_cvref_t<Objects>> && ...);
  static_assert(all, "stg: save_checkpoint takes parameter sets, optimisers, plateaus and early stopping");
  if constexpr (all) detail::part_writer(part, folder).write(objects...);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

/// load_checkpoint of ranks, of a folder that ranks or a run on the whole graph wrote: a folder that all of them see.
/// All ranks call it. Errors, on all ranks: the errors of load_checkpoint, and files that not all ranks read alike.
///
///   stg::load_checkpoint(part, "run", params, optimizer);
template <class... Objects>
void load_checkpoint(const distributed_graph& part, const std::string& folder, Objects&... objects) try {
  constexpr bool all = (detail::belongs_to_checkpoints<Objects> && ...);
  static_assert(all, "stg: load_checkpoint takes parameter sets, optimisers, plateaus and early stopping");
  if constexpr (all) {
    detail::compared_files compared;
    const auto taken = [&](const std::string& file, auto values, const ir::beginning& begins) {
      compared.add(file, values.shape(), detail::bytes_of(values), values.bytes());
      return begins.has_vertex_rows ? part.rows(values) : std::move(values);
    };
    part.ranks().busy(true);
    std::optional<detail::checkpoint_input> files;
    const auto read_all = [&] { return std::tuple{detail::read_object(*files, objects, taken)...}; };
    std::optional<decltype(read_all())> read;
    std::exception_ptr problem;
    try {
      files.emplace(folder);
      read.emplace(read_all());
    } catch (...) {
      problem = std::current_exception();
    }
    part.ranks().busy(false);
    detail::end_together(part.ranks(), problem, "load_checkpoint", folder);
    compared.compare(part.ranks(), "load_checkpoint");
    std::apply([](const auto&... assign) { (assign(), ...); }, *read);
  }
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
