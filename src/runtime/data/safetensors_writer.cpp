// Writing files of safetensors, byte for byte as the reference library does.
#include "safetensors_header.hpp"  // bytes_of, header_text
#include "word.hpp"                // in_quotes

#include <stg/base/error.hpp>             // error
#include <stg/base/utf8.hpp>              // bytes_of_letter
#include <stg/data/checkpoint_files.hpp>  // checkpoint_input, checkpoint_output, one_file_replacement
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // lower_bound, sort
#include <bit>        // endian

namespace stg {

static_assert(std::endian::native == std::endian::little,
              "stg internal: files of safetensors are written on little-endian hosts only");

void safetensors_writer::check_text(const std::string& what, const std::string& text) const {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t bytes = utf8::bytes_of_letter(rest);
    if (bytes == 0)
      throw error("safetensors " + path_ + " is given " + what + " " + detail::in_quotes(text) +
                  ", which is no UTF-8; expected text in UTF-8");
    rest.remove_prefix(bytes);
  }
}

void safetensors_writer::add(safetensors_entry entry, const void* data, std::shared_ptr<const void> share) try {
  check_text("the name", entry.name);
  if (entry.name == "__metadata__")
    throw error("safetensors " + path_ + " keeps texts under the name __metadata__; give the tensor another name");
  const auto at = std::lower_bound(names_.begin(), names_.end(), entry.name);
  if (at != names_.end() && *at == entry.name)
    throw error("safetensors " + path_ + " tensor " + detail::in_quotes(entry.name) +
                " is written twice; give each of two a file of its own");
  names_.insert(at, entry.name);
  tensors_.push_back({std::move(entry), data, std::move(share)});
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template <class T>
void safetensors_writer::add(const std::string& name, const dimensions& shape, const T* data,
                             std::shared_ptr<const void> share) {
  add({name, detail::safetensors_type_of<T>, {shape.begin(), shape.end()}, 0, 0}, data, std::move(share));
}

void safetensors_writer::write(const std::string& name, const safetensors_file& from, std::string_view of) {
  const safetensors_entry& entry = from.at(of);
  const auto kept = std::make_shared<std::vector<std::byte>>(from.bytes(of));
  add({name, entry.type, entry.shape, 0, 0}, kept->data(), kept);
}

void safetensors_writer::write(const stg::metadata& texts) {
  for (const auto& [name, text] : texts.texts) {
    check_text("the text", name);
    check_text("the text", text);
    for (const auto& [other, unused] : metadata_.texts)
      if (other == name)
        throw error("safetensors " + path_ + " has the text " + detail::in_quotes(name) + " twice; give it once");
    metadata_.texts.emplace_back(name, text);
  }
}

void safetensors_writer::put_in_place() try {
  std::sort(tensors_.begin(), tensors_.end(), [](const kept_bytes& a, const kept_bytes& b) {
    return a.entry.type != b.entry.type ? a.entry.type > b.entry.type : a.entry.name < b.entry.name;
  });
  std::vector<const safetensors_entry*> entries;
  std::int64_t end = 0;
  for (kept_bytes& t : tensors_) {
    t.entry.begin = end;
    t.entry.end = end += *detail::bytes_of(t.entry.type, t.entry.shape);
    entries.push_back(&t.entry);
  }
  detail::one_file_replacement file(path_);
  const std::string header = detail::header_text(entries, metadata_);
  file.write(header.data(), header.size());
  for (const kept_bytes& t : tensors_) file.write(t.data, static_cast<std::size_t>(t.entry.end - t.entry.begin));
  file.put_in_place();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

template void safetensors_writer::add(const std::string&, const dimensions&, const float*, std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const double*,
                                      std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const float16*,
                                      std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const bfloat16*,
                                      std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const std::int32_t*,
                                      std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const std::int64_t*,
                                      std::shared_ptr<const void>);
template void safetensors_writer::add(const std::string&, const dimensions&, const bool*, std::shared_ptr<const void>);

namespace detail {

void checkpoint_output::write(const metadata& texts) {
  if (!file_)
    throw error("metadata belong to one file: save_checkpoint(\"run.safetensors\", params, texts), not to a folder");
  file_->write(texts);
}

metadata checkpoint_input::texts() const {
  if (!file_)
    throw error("metadata belong to one file: load_checkpoint(\"run.safetensors\", params, texts), not to a folder");
  return file_->metadata();
}

}  // namespace detail
}  // namespace stg
