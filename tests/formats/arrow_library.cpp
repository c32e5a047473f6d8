// Takes a table of Arrow and gives it back, column by column through tensors: a library that arrow_peer.py calls.
#include <stg/arrow.hpp>       // arrow_table, to_arrow
#include <stg/base/error.hpp>  // error

#include <cmath>     // isnan
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace {

/// Views where a tensor can be a view, copies elsewhere.
stg::arrow_column through_a_tensor(const stg::arrow_table& table, const std::string& name,
                                   std::optional<double> missing) {
  const std::string type = table.type(name).substr(0, table.type(name).find('['));
  if (missing) return {name, table.column_as<double>(name, missing)};
  if (type == "float32") return {name, table.column<float>(name)};
  if (type == "float64") return {name, table.column<double>(name)};
  if (type == "float16") return {name, table.column<stg::float16>(name)};
  if (type == "int32" || type == "date32" || type == "time32") return {name, table.column<std::int32_t>(name)};
  if (type == "int64" || type == "timestamp" || type == "duration") return {name, table.column<std::int64_t>(name)};
  if (type == "bool") return {name, table.column_as<bool>(name)};
  return {name, table.column_as<std::int64_t>(name)};
}

}  // namespace

/// The error's text, or null. missing: stands for nulls, NaN: they are refused.
extern "C" __attribute__((visibility("default"))) const char* there_and_back(ArrowSchema* schema, ArrowArray* array,
                                                                             double missing, ArrowSchema* to_schema,
                                                                             ArrowArray* to_array) {
  static std::string text;
  try {
    const stg::arrow_table table(schema, array);
    std::vector<stg::arrow_column> columns;
    for (const std::string& name : table.names())
      columns.push_back(through_a_tensor(table, name, std::isnan(missing) ? std::nullopt : std::optional(missing)));
    stg::to_arrow(std::move(columns), to_schema, to_array);
    return nullptr;
  } catch (const stg::error& e) {
    text = e.what();
    return text.c_str();
  }
}
