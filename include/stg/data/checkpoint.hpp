// Parameters on disk: a folder with one .npy file per parameter, named after it, which NumPy reads as well.
#pragma once

#include <filesystem>    // create_directories, path
#include <string>        // string
#include <string_view>   // string_view
#include <system_error>  // error_code
#include <type_traits>   // remove_cvref_t

#include <stg/base/error.hpp>            // error
#include <stg/data/npy.hpp>              // read_npy, write_npy
#include <stg/runtime/named_values.hpp>  // named_values, for_each

namespace stg {

namespace detail {
inline std::string checkpoint_file(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / (std::string(name) + ".npy")).string();
}
}  // namespace detail

/// Writes every parameter of a set to folder/NAME.npy; makes the folder. Files of other names stay. Errors: the folder
/// cannot be made, those of write_npy.
///
///   stg::save_parameters(params, "cora_gcn");  // cora_gcn/W1.npy, cora_gcn/b1.npy, …
template <class... Named> void save_parameters(const named_values<Named...>& parameters, const std::string& folder) {
  for_each(parameters, [&](std::string_view name, const auto& values) {
    const std::string file = detail::checkpoint_file(folder, name);
    const std::filesystem::path parent = std::filesystem::path(file).parent_path();
    std::error_code failed;
    if (!parent.empty()) std::filesystem::create_directories(parent, failed);
    if (failed) throw error("folder " + parent.string() + " cannot be made: " + failed.message());
    write_npy(file, values);
  });
}

/// Reads every parameter of a set from folder/NAME.npy into the memory that it has, on a device too. Either all are
/// read or none is changed. Errors: those of read_npy (a missing file, another scalar type), and a file of another
/// shape.
///
///   auto params = stg::parameters<loss>(stg::sized<"F">(1433), stg::sized<"C">(7));
///   stg::load_parameters(params, "cora_gcn");
template <class... Named> void load_parameters(named_values<Named...>& parameters, const std::string& folder) {
  named_values<Named...> read;
  boost::hana::for_each(parameters.items(), [&](const auto& item) {
    using item_type = std::remove_cvref_t<decltype(item)>;
    constexpr int at = named_values<Named...>::template position<typename item_type::name>();
    const std::string file = detail::checkpoint_file(folder, item.text());
    auto& values = read.template get<at>();
    values = read_npy<typename item_type::value_type::value_type>(file);
    if (!(values.shape() == item.value.shape()))
      throw error("checkpoint file " + file + " has shape " + to_string(values.shape()) + "; the parameter has " +
                  to_string(item.value.shape()));
  });
  boost::hana::for_each(parameters.items(), [&](auto& item) {
    using item_type = std::remove_cvref_t<decltype(item)>;
    constexpr int at = named_values<Named...>::template position<typename item_type::name>();
    const auto& values = read.template get<at>();
    item.value.assign(values);
  });
}

}  // namespace stg
