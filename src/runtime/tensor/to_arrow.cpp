// Tensors as tables of Arrow's C data interface. Each column owns its tensor: a consumer may move columns out one by
// one.
#include <stg/arrow.hpp>

#include <type_traits>  // is_same_v

#include <stg/base/error.hpp>  // error

namespace stg {

namespace {

template <class T> const char* format_of() {
  if constexpr (std::is_same_v<T, float>) return "f";
  else if constexpr (std::is_same_v<T, double>) return "g";
  else if constexpr (std::is_same_v<T, float16>) return "e";
  else if constexpr (std::is_same_v<T, bool>) return "b";
  else return sizeof(T) == 4 ? "i" : "l";
}

/// What a schema that is given away points to.
struct owned_schema {
  std::string format{}, name{};
  std::vector<std::unique_ptr<ArrowSchema>> children{};
  std::vector<ArrowSchema*> pointers{};
};
struct owned_array {
  std::vector<const void*> buffers{};
  std::vector<std::unique_ptr<ArrowArray>> children{};
  std::vector<ArrowArray*> pointers{};
  std::shared_ptr<const void> keeper{};
};

/// Releases the children that nobody moved out, then what the struct points to.
template <class Owned, class Struct> void release(Struct* s) {
  auto* const owned = static_cast<Owned*>(s->private_data);
  for (auto& child : owned->children)
    if (child->release != nullptr) child->release(child.get());
  s->release = nullptr;
  delete owned;
}

void fill(ArrowSchema* to, std::unique_ptr<owned_schema> owned) {
  for (const auto& child : owned->children) owned->pointers.push_back(child.get());
  *to = {owned->format.c_str(),
         owned->name.c_str(),
         nullptr,
         0,
         static_cast<std::int64_t>(owned->children.size()),
         owned->pointers.data(),
         nullptr,
         release<owned_schema, ArrowSchema>,
         nullptr};
  to->private_data = owned.release();
}
void fill(ArrowArray* to, std::unique_ptr<owned_array> owned, std::int64_t length) {
  for (const auto& child : owned->children) owned->pointers.push_back(child.get());
  *to = {length,
         0,
         0,
         static_cast<std::int64_t>(owned->buffers.size()),
         static_cast<std::int64_t>(owned->children.size()),
         owned->buffers.data(),
         owned->pointers.data(),
         nullptr,
         release<owned_array, ArrowArray>,
         nullptr};
  to->private_data = owned.release();
}

/// A struct that is released unless it is handed on.
template <class Struct> std::unique_ptr<Struct, void (*)(Struct*)> guarded() {
  return {new Struct{}, [](Struct* s) {
            if (s->release != nullptr) s->release(s);
            delete s;
          }};
}

/// A column, or what lies in its lists: axes from `axis` on.
void give_schema(ArrowSchema* to, const std::string& name, const std::string& format, const dimensions& shape,
                 int axis) {
  auto owned = std::make_unique<owned_schema>();
  owned->name = name;
  owned->format = axis + 1 == shape.rank() ? format : "+w:" + std::to_string(shape[axis + 1]);
  if (axis + 1 < shape.rank()) {
    auto child = guarded<ArrowSchema>();
    give_schema(child.get(), "item", format, shape, axis + 1);
    owned->children.emplace_back(child.release());
  }
  fill(to, std::move(owned));
}
void give_array(ArrowArray* to, const dimensions& shape, int axis, std::int64_t length, const void* data,
                const std::shared_ptr<const void>& keeper) {
  auto owned = std::make_unique<owned_array>();
  owned->buffers = {nullptr};
  if (axis + 1 < shape.rank()) {
    auto child = guarded<ArrowArray>();
    give_array(child.get(), shape, axis + 1, length * shape[axis + 1], data, keeper);
    owned->children.emplace_back(child.release());
  } else {
    owned->buffers.push_back(data);
    owned->keeper = keeper;
  }
  fill(to, std::move(owned), length);
}

}  // namespace

template <class T>
arrow_column::arrow_column(std::string name, const_tensor<T>&& values)
    : name_(std::move(name)), format_(format_of<T>()), shape_(values.shape()) {
  if (shape_.rank() == 0) throw error("arrow: column \"" + name_ + "\" is a scalar; expected a row of it for each row");
  if (!values.place().is_host()) throw error("arrow: column \"" + name_ + "\" lies on a device; give x.to(stg::host)");
  if constexpr (std::is_same_v<T, bool>) {
    auto bits = std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>((values.size() + 7) / 8));
    for (std::int64_t i = 0; i < values.size(); ++i)
      (*bits)[static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(int{values.data()[i]} << (i % 8));
    data_ = bits->data();
    keeper_ = std::move(bits);
  } else {
    data_ = values.data();
    keeper_ = std::make_shared<const_tensor<T>>(std::move(values));
  }
}
template arrow_column::arrow_column(std::string, const_tensor<float>&&);
template arrow_column::arrow_column(std::string, const_tensor<double>&&);
template arrow_column::arrow_column(std::string, const_tensor<float16>&&);
template arrow_column::arrow_column(std::string, const_tensor<std::int32_t>&&);
template arrow_column::arrow_column(std::string, const_tensor<std::int64_t>&&);
template arrow_column::arrow_column(std::string, const_tensor<bool>&&);

void to_arrow(std::vector<arrow_column> columns, ArrowSchema* schema, ArrowArray* array) {
  const std::int64_t rows = columns.empty() ? 0 : columns[0].shape_[0];
  auto of_schema = std::make_unique<owned_schema>();
  auto of_array = std::make_unique<owned_array>();
  of_schema->format = "+s";
  of_array->buffers = {nullptr};
  for (const arrow_column& c : columns) {
    if (c.shape_[0] != rows)
      throw error("arrow: column \"" + c.name_ + "\" has " + std::to_string(c.shape_[0]) + " rows; expected the " +
                  std::to_string(rows) + " of \"" + columns[0].name_ + '"');
  }
  auto whole_schema = guarded<ArrowSchema>();
  auto whole_array = guarded<ArrowArray>();
  fill(whole_schema.get(), std::move(of_schema));
  fill(whole_array.get(), std::move(of_array), rows);
  auto* const schemas = static_cast<owned_schema*>(whole_schema->private_data);
  auto* const arrays = static_cast<owned_array*>(whole_array->private_data);
  for (const arrow_column& c : columns) {
    give_schema(schemas->children.emplace_back(new ArrowSchema{}).get(), c.name_, c.format_, c.shape_, 0);
    give_array(arrays->children.emplace_back(new ArrowArray{}).get(), c.shape_, 0, rows, c.data_, c.keeper_);
    schemas->pointers.push_back(schemas->children.back().get());
    arrays->pointers.push_back(arrays->children.back().get());
  }
  *schema = *whole_schema;
  schema->n_children = static_cast<std::int64_t>(columns.size());
  schema->children = schemas->pointers.data();
  *array = *whole_array;
  array->n_children = schema->n_children;
  array->children = arrays->pointers.data();
  whole_schema->release = nullptr;
  whole_array->release = nullptr;
}

}  // namespace stg
