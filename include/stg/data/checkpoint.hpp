// Parameters on disk, and the state to continue a run: a folder of .npy files, named after the parameters, which NumPy
// reads as well, or one file of safetensors, which PyTorch's users read.
#pragma once

#include <string>       // string
#include <string_view>  // string_view
#include <tuple>        // apply, tuple
#include <type_traits>  // remove_cvref_t
#include <utility>      // move
#include <vector>       // vector

#include <stg/base/instead.hpp>           // STG_INSTEAD_FREE, nothing
#include <stg/base/error.hpp>             // error
#include <stg/data/checkpoint_files.hpp>  // checkpoint_input, checkpoint_output
#include <stg/runtime/named_values.hpp>   // named_values, for_each
#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg {

/// Objects that have a state of their own from step to step: optimisers, schedule::reduce_on_plateau, early_stopping.
template <class T>
concept Resumable = requires(T& object, const tensor<double>& numbers) {
  T::state_name;
  object.state_sets();
  object.state_numbers(numbers);
};

namespace detail {

template <class T>
inline constexpr bool belongs_to_checkpoints = is_named_set<T> || Resumable<T> || std::is_same_v<T, metadata>;

/// What the state of an object, or of a set of it, has before its names in a checkpoint: adam/, adam/first/.
template <class Object> std::string state_folder(std::string_view set = {}) {
  return std::string(Object::state_name) + '/' + std::string(set) + (set.empty() ? "" : "/");
}
template <class... Named>
void write_object(checkpoint_output& files, const named_values<Named...>& set, const std::string& folder = {}) {
  for_each(set, [&](std::string_view name, const auto& values) { files.write(folder + std::string(name), values); });
}
template <Resumable Object> void write_object(checkpoint_output& files, Object& object) {
  for (const auto& set : object.state_sets()) write_object(files, *set.values, state_folder<Object>(set.name));
  files.write(state_folder<Object>() + "numbers", object.state_numbers());
}
inline void write_object(checkpoint_output& files, const metadata& texts) { files.write(texts); }

/// Takes a file's values as they are.
struct taken_whole {
  template <class Values> Values operator()(const std::string&, Values values, const ir::beginning&) const {
    return values;
  }
};

/// A set of a folder, with the shapes of an existing set. `what` has them, in the sentence. taken: what becomes of a
/// file's values.
template <class Taken, class... Named>
named_values<Named...> read_set(const checkpoint_input& files, const named_values<Named...>& like,
                                const std::string& folder, const char* what, const Taken& taken) {
  named_values<Named...> read;
  boost::hana::for_each(like.items(), [&](const auto& item) {
    using item_type = std::remove_cvref_t<decltype(item)>;
    constexpr int at = named_values<Named...>::template position<typename item_type::name>();
    const std::string name = folder + std::string(item.text());
    const std::string file = files.place_of(name);
    auto& values = read.template get<at>();
    values = taken(file, files.read<typename item_type::value_type::value_type>(name), item.begins);
    if (!(values.shape() == item.value.shape()))
      throw error("checkpoint file " + file + " has shape " + to_string(values.shape()) + "; the " + what + " has " +
                  to_string(item.value.shape()));
  });
  return read;
}
template <class... Named> void assign_set(named_values<Named...>& to, const named_values<Named...>& from) {
  boost::hana::for_each(to.items(), [&](auto& item) {
    constexpr int at = named_values<Named...>::template position<typename std::remove_cvref_t<decltype(item)>::name>();
    item.value.assign(from.template get<at>());
  });
}

/// Reads what an object is to be, and returns what makes it so.
template <class Taken, class... Named>
auto read_object(const checkpoint_input& files, named_values<Named...>& set, const Taken& taken) {
  return [&set, read = read_set(files, set, "", "parameter", taken)] { assign_set(set, read); };
}
template <Resumable Object, class Taken>
auto read_object(const checkpoint_input& files, Object& object, const Taken& taken) {
  const auto sets = object.state_sets();
  using set = std::remove_cvref_t<decltype(*sets.begin()->values)>;
  std::vector<set> read;
  for (const auto& s : sets) read.push_back(read_set(files, *s.values, state_folder<Object>(s.name), "state", taken));
  const std::string name = state_folder<Object>() + "numbers", file = files.place_of(name);
  auto numbers = taken(file, files.read<double>(name), {});
  object.check_state(numbers, file);
  return [&object, sets, read = std::move(read), numbers = std::move(numbers)] {
    for (std::size_t i = 0; i < read.size(); ++i) assign_set(*sets[i].values, read[i]);
    object.state_numbers(numbers);
  };
}
template <class Taken> auto read_object(const checkpoint_input& files, metadata& texts, const Taken&) {
  return [&texts, read = files.texts()] { texts = read; };
}

}  // namespace detail

/// Writes the state to continue a run as one checkpoint: every parameter of a set to folder/NAME.npy, and the state of
/// an optimiser, a plateau or early stopping to a folder of its own, folder/adam/first/NAME.npy, …,
/// folder/adam/numbers.npy. One object of a kind in a folder. An object's options are not in it, but for an optimiser's
/// learning rate. A path that ends with .safetensors is one file, with tensors NAME, adam/first/NAME, …, adam/numbers,
/// and with texts, if a `metadata` is among the objects.
///
/// A process may be killed at any time, and the machine may stop: a later load gives this checkpoint, or the one
/// before, and never parts of both. While one is written, others wait to load it. Files of other names stay. Errors:
/// the folder cannot be made or written, the disk is full, two objects of one kind; the checkpoint before is loaded
/// then.
///
///   stg::save_checkpoint("run", params, optimizer, rate);
///   stg::save_checkpoint("run.safetensors", params, optimizer, rate);
template <class... Objects> void save_checkpoint(const std::string& path, Objects&&... objects) try {
  constexpr bool all = (detail::belongs_to_checkpoints<std::remove_cvref_t<Objects>> && ...);
  static_assert(all, "stg: save_checkpoint takes parameter sets, optimisers, plateaus and early stopping");
  if constexpr (all) {
    detail::checkpoint_output files(path);
    (detail::write_object(files, objects), ...);
    files.put_in_place();
  }
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

/// Reads a checkpoint: parameters into their memory, on a device too, and states into objects made for the same
/// parameters with the same options. The steps from then on have the same bits as without the interruption. Objects may
/// be fewer than were saved. Either all are read or none is changed. Errors: the errors of read_npy or of
/// safetensors_file (a missing file or tensor, a different scalar type), a different shape, and impossible counts.
///
///   stg::load_checkpoint("run", params, optimizer, rate);
template <class... Objects> void load_checkpoint(const std::string& path, Objects&... objects) try {
  constexpr bool all = (detail::belongs_to_checkpoints<Objects> && ...);
  static_assert(all, "stg: load_checkpoint takes parameter sets, optimisers, plateaus and early stopping");
  if constexpr (all) {
    const detail::checkpoint_input files(path);
    const std::tuple read{detail::read_object(files, objects, detail::taken_whole())...};
    std::apply([](const auto&... assign) { (assign(), ...); }, read);
  }
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

/// A set first: what to write.
template <class... Named, class... More> void save_checkpoint(const named_values<Named...>&, const More&...) {
  constexpr bool folder_is_first = sizeof...(Named) > 9999;
  static_assert(folder_is_first, "stg: a checkpoint's folder comes first: save_checkpoint(\"run\", params, optimizer)");
}
template <class... Named, class... More> void load_checkpoint(const named_values<Named...>&, const More&...) {
  constexpr bool folder_is_first = sizeof...(Named) > 9999;
  static_assert(folder_is_first, "stg: a checkpoint's folder comes first: load_checkpoint(\"run\", params, optimizer)");
}

/// A checkpoint of parameters alone. Errors: as save_checkpoint's.
///
///   stg::save_parameters(params, "cora_gcn");              // cora_gcn/W1.npy, cora_gcn/b1.npy, …
///   stg::save_parameters(params, "cora_gcn.safetensors");  // one file with tensors W1, b1, …
template <class... Named> void save_parameters(const named_values<Named...>& parameters, const std::string& path) {
  save_checkpoint(path, parameters);
}

/// The folder first: what to write.
template <class... Named> void save_parameters(const std::string&, const named_values<Named...>&) {
  constexpr bool set_is_first = sizeof...(Named) > 9999;
  static_assert(set_is_first,
                "stg: save_parameters takes the set, then its folder: save_parameters(params, \"folder\")");
}

/// Reads the parameters of a checkpoint. Errors: as load_checkpoint's.
///
///   auto params = stg::parameters<loss>(stg::sized<"F">(1433), stg::sized<"C">(7));
///   stg::load_parameters(params, "cora_gcn");
template <class... Named> void load_parameters(named_values<Named...>& parameters, const std::string& path) {
  load_checkpoint(path, parameters);
}

/// As a function that gives the set: what to write.
STG_INSTEAD_FREE("stg: load_parameters reads into a set that there is: load_parameters(params, \"folder\")",
                 inline detail::nothing load_parameters(const std::string&))
template <class... Named> void load_parameters(const std::string&, const named_values<Named...>&) {
  constexpr bool set_is_first = sizeof...(Named) > 9999;
  static_assert(set_is_first,
                "stg: load_parameters takes the set, then its folder: load_parameters(params, \"folder\")");
}

/// Writes the state of one object next to the folder's files, or as a file of safetensors by itself. A process killed
/// between two calls leaves parameters of one epoch and states of a second: save_checkpoint takes all of them. Errors:
/// as its.
///
///   stg::save_state(optimizer, "run");
template <class Object> void save_state(Object& object, const std::string& path) {
  constexpr bool is_resumable = Resumable<Object>;
  static_assert(is_resumable,
                "stg: save_state takes an optimiser, a plateau or early stopping; save_parameters takes a set");
  if constexpr (Resumable<Object>) save_checkpoint(path, object);
}

/// Reads the state of one object. Errors: as load_checkpoint's.
///
///   stg::load_state(optimizer, "run");
template <class Object> void load_state(Object& object, const std::string& path) {
  constexpr bool is_resumable = Resumable<Object>;
  static_assert(is_resumable,
                "stg: load_state takes an optimiser, a plateau or early stopping; load_parameters takes a set");
  if constexpr (Resumable<Object>) load_checkpoint(path, object);
}

}  // namespace stg
