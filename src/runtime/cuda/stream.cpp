// Streams of users, captured steps, and times.
#include <stg/runtime/cuda/stream.hpp>

#include <stg/runtime/cuda/updates.hpp>  // count_launch

#include <utility>  // move

namespace stg::gpu {

stream::stream(std::shared_ptr<device> on) : device_(std::move(on)), handle_(device_->stream()) {}

stream::stream(std::shared_ptr<device> on, stream_handle users, const purpose& why)
    : device_(std::move(on)), handle_(users == nullptr ? device_->stream() : users), done_(device_->calls()) {
  if (users == nullptr) return;
  const current_device here(calls(), device_->index(), why);  // which cudaStreamPerThread is of
  int of = device_->index();
  const status s = calls().stream_device(users, &of);
  if (s != status::not_supported) check(calls(), why, "cudaStreamGetDevice", s);
  if (of != device_->index())
    throw error(to_string(why) + ": the stream is of " + to_string(location::on_device(of)) + ", the program runs on " +
                to_string(location::on_device(device_->index())) + "; create it there, after cudaSetDevice(" +
                std::to_string(device_->index()) + ")");
  check(calls(), why, "cudaEventCreate", calls().event_create(done_.out(), false));
}

void stream::order(stream_handle first, stream_handle then, const purpose& why) {
  if (first == then || is_capturing(why)) return;  // a captured step is ordered as a whole, by its launch
  check(calls(), why, "cudaEventRecord", calls().event_record(done_.get(), first));
  check(calls(), why, "cudaStreamWaitEvent", calls().stream_wait(then, done_.get()));
}

void stream::synchronize(const purpose& why) {
  check(calls(), why, "cudaStreamSynchronize", calls().stream_synchronize(handle_));
}

bool stream::is_capturing(const purpose& why) const {
  bool capturing = false;
  check(calls(), why, "cudaStreamIsCapturing", calls().stream_is_capturing(handle_, &capturing));
  return capturing;
}

void captured_step::begin_count() {
  device& on = *stream_->on();
  const current_device now(on.calls(), on.index(), why_);
  launches_.reserve(sizeof(std::uint32_t), why_);
  count();  // its kernel is loaded when it is first launched, which a capture may refuse
  stream_->synchronize(why_);
  on.fill(launches_.data(), 0, sizeof(std::uint32_t), why_);
}

void captured_step::count() { count_launch(*stream_->on(), launches(), stream_->handle()); }

captured_step::capture::capture(stream& on, const std::uint32_t* launches, const purpose& why) : stream_(on) {
  check(on.calls(), why, "cudaStreamBeginCapture", on.calls().capture_begin(on.handle()));
  on.on()->captures(on.handle(), launches);
}

captured_step::capture::~capture() {
  if (!open_) return;
  owned<graph_handle, &api::graph_destroy> dropped(stream_.calls());
  stream_.calls().capture_end(stream_.handle(), dropped.out());
  stream_.on()->captures(nullptr, nullptr);
}

captured_step::executable captured_step::capture::end(const purpose& why) {
  api& calls = stream_.calls();
  owned<graph_handle, &api::graph_destroy> graph(calls);
  open_ = false;  // CUDA ends a capture even when it has an error to report
  const status ended = calls.capture_end(stream_.handle(), graph.out());
  stream_.on()->captures(nullptr, nullptr);  // frees what was given back, which would be part of the step before
  check(calls, why, "cudaStreamEndCapture", ended);
  executable made(calls);
  check(calls, why, "cudaGraphInstantiate", calls.graph_instantiate(made.out(), graph.get()));
  return made;
}

void captured_step::launch() {
  stream_->enter(why_);
  check(stream_->calls(), why_, "cudaGraphLaunch", stream_->calls().graph_launch(executable_.get(), stream_->handle()));
  stream_->leave(why_);
}

timer::timer(stream& on, const purpose& why) : stream_(&on), why_(why), from_(on.calls()), to_(on.calls()) {
  const current_device here(on.calls(), on.on()->index(), why);
  check(on.calls(), why, "cudaEventCreate", on.calls().event_create(from_.out(), true));
  check(on.calls(), why, "cudaEventCreate", on.calls().event_create(to_.out(), true));
}
void timer::start() {
  check(stream_->calls(), why_, "cudaEventRecord", stream_->calls().event_record(from_.get(), stream_->handle()));
}
void timer::stop() {
  check(stream_->calls(), why_, "cudaEventRecord", stream_->calls().event_record(to_.get(), stream_->handle()));
}
double timer::milliseconds() {
  float time = 0;
  check(stream_->calls(), why_, "cudaEventSynchronize", stream_->calls().event_synchronize(to_.get()));
  check(stream_->calls(), why_, "cudaEventElapsedTime", stream_->calls().event_elapsed(&time, from_.get(), to_.get()));
  return static_cast<double>(time);
}

}  // namespace stg::gpu
