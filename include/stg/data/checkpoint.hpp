// Parameters on disk, and what a run needs to go on: a folder of .npy files, named after the parameters, which NumPy
// reads as well.
#pragma once

#include <filesystem>   // path
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // remove_cvref_t
#include <vector>       // vector

#include <stg/base/error.hpp>             // error
#include <stg/data/file_replacement.hpp>  // file_replacement
#include <stg/data/npy.hpp>               // read_npy
#include <stg/runtime/named_values.hpp>   // named_values, for_each

namespace stg {

namespace detail {
inline std::string checkpoint_file(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / (std::string(name) + ".npy")).string();
}
template <class... Named>
void write_set(file_replacement& files, const std::string& folder, const named_values<Named...>& set) {
  for_each(set, [&](std::string_view name, const auto& values) { files.write(checkpoint_file(folder, name), values); });
}
/// A set of a folder, with the shapes that another has. `what` has them, in the sentence.
template <class... Named>
named_values<Named...> read_set(const named_values<Named...>& like, const std::string& folder, const char* what) {
  named_values<Named...> read;
  boost::hana::for_each(like.items(), [&](const auto& item) {
    using item_type = std::remove_cvref_t<decltype(item)>;
    constexpr int at = named_values<Named...>::template position<typename item_type::name>();
    const std::string file = checkpoint_file(folder, item.text());
    auto& values = read.template get<at>();
    values = read_npy<typename item_type::value_type::value_type>(file);
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
}  // namespace detail

/// Writes every parameter of a set to folder/NAME.npy; makes the folder. Files of other names stay. Errors: the folder
/// cannot be made, those of write_npy; what the folder held is there as before then.
///
///   stg::save_parameters(params, "cora_gcn");  // cora_gcn/W1.npy, cora_gcn/b1.npy, …
template <class... Named> void save_parameters(const named_values<Named...>& parameters, const std::string& folder) {
  detail::file_replacement files;
  detail::write_set(files, folder, parameters);
  files.put_in_place();
}

/// Reads every parameter of a set from folder/NAME.npy into the memory that it has, on a device too. Either all are
/// read or none is changed. Errors: those of read_npy (a missing file, another scalar type), and a file of another
/// shape.
///
///   auto params = stg::parameters<loss>(stg::sized<"F">(1433), stg::sized<"C">(7));
///   stg::load_parameters(params, "cora_gcn");
template <class... Named> void load_parameters(named_values<Named...>& parameters, const std::string& folder) {
  detail::assign_set(parameters, detail::read_set(parameters, folder, "parameter"));
}

/// Objects that have a state of their own from step to step: optimisers, schedule::reduce_on_plateau, early_stopping.
template <class T>
concept Resumable = requires(T& object, const tensor<double>& numbers) {
  T::state_name;
  object.state_sets();
  object.state_numbers(numbers);
};

/// Writes what an object needs to go on, next to the parameters: folder/adam/first/W1.npy, …, and its counts as
/// folder/adam/numbers.npy. One object of a kind in a folder. What it was made with is not in it, but for an
/// optimiser's learning rate. Errors: as save_parameters'.
///
///   stg::save_parameters(params, "run");
///   stg::save_state(optimizer, "run");
template <class Object> void save_state(Object& object, const std::string& folder) {
  static_assert(Resumable<Object>,
                "stg: save_state takes an optimiser, a plateau or early stopping; save_parameters takes a set");
  if constexpr (Resumable<Object>) {
    const auto own = (std::filesystem::path(folder) / Object::state_name).string();
    detail::file_replacement files;
    for (const auto& set : object.state_sets())
      detail::write_set(files, (std::filesystem::path(own) / set.name).string(), *set.values);
    files.write(detail::checkpoint_file(own, "numbers"), object.state_numbers());
    files.put_in_place();
  }
}

/// Reads what save_state has written, into an object that was made for the same parameters with the same options: the
/// steps from then on have the bits that they would have had. Either all is read or nothing is changed. Errors: as
/// load_parameters', and counts that no run can have.
///
///   stg::load_parameters(params, "run");
///   stg::load_state(optimizer, "run");
template <class Object> void load_state(Object& object, const std::string& folder) {
  static_assert(Resumable<Object>,
                "stg: load_state takes an optimiser, a plateau or early stopping; load_parameters takes a set");
  if constexpr (Resumable<Object>) {
    const auto own = std::filesystem::path(folder) / Object::state_name;
    const auto sets = object.state_sets();
    using set = std::remove_cvref_t<decltype(*sets.begin()->values)>;
    std::vector<set> read;
    for (const auto& s : sets) read.push_back(detail::read_set(*s.values, (own / s.name).string(), "state"));
    const auto file = detail::checkpoint_file(own.string(), "numbers");
    const auto numbers = read_npy<double>(file);
    object.check_state(numbers, file);
    for (std::size_t i = 0; i < read.size(); ++i) detail::assign_set(*sets[i].values, read[i]);
    object.state_numbers(numbers);
  }
}

}  // namespace stg
