// SPDX-License-Identifier: Apache-2.0
#include "run/call.h"

#include <algorithm>
#include <cstring>

namespace noema {

StepCall::StepCall(const StepTask& task, std::size_t index, EngineHost& host, const EngineOptions& options,
                   BlockPool& pool)
    : task_(task), index_(index), host_(host), options_(options), pool_(pool) {
  inputs_.resize(task.inputs.size());
  outputs_.resize(task.contract->outputs.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].port = task.contract->input(task.inputs[i].name);
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i].port = &task.contract->outputs[i];
}

void StepCall::misuse(std::string_view what, std::string_view name) const {
  const std::string why = task_.operation + " asks for " + std::string(what) + " '" + std::string(name) + "'";
  assertion_failed("a kernel may use only what its contract declares", why.c_str(), __FILE__, __LINE__);
}

const Value& StepCall::parameter(std::string_view name) const {
  static const Value absent;
  if (task_.contract->parameter(name) == nullptr) misuse("parameter", name);
  const Value* value = task_.params.find(name);
  return value == nullptr ? absent : *value;
}

std::uint64_t StepCall::seed(std::string_view stream, std::uint64_t fallback) const {
  return host_.seed(task_, stream, fallback);
}

InputState* StepCall::find_input(std::string_view name) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (task_.inputs[i].name == name) return &inputs_[i];
  }
  if (task_.contract->input(name) == nullptr) misuse("input", name);
  return nullptr;
}

const InputState& StepCall::input(std::string_view name) const {
  const InputState* found = const_cast<StepCall*>(this)->find_input(name);
  if (found == nullptr) misuse("an input that is not connected,", name);
  return *found;
}

InputState& StepCall::stream_input(std::string_view name) {
  auto& found = const_cast<InputState&>(input(name));
  if (found.queue == nullptr) misuse("the stream of", name);
  return found;
}

OutputState& StepCall::output(std::string_view name) {
  const auto found = std::ranges::find_if(outputs_, [&](const OutputState& out) { return out.port->name == name; });
  if (found == outputs_.end()) misuse("output", name);
  return *found;
}
const OutputState& StepCall::output(std::string_view name) const { return const_cast<StepCall*>(this)->output(name); }

bool StepCall::connected(std::string_view name) const {
  return const_cast<StepCall*>(this)->find_input(name) != nullptr;
}
const std::string& StepCall::kind(std::string_view name) const { return input(name).kind; }

const Value& StepCall::metadata(std::string_view name) const {
  const InputState& in = input(name);
  return in.whole != nullptr ? in.whole->metadata : in.producer->metadata;
}

std::uint64_t StepCall::length(std::string_view name) const {
  const InputState& in = input(name);
  if (in.queue != nullptr) return in.queue->length();
  return in.whole->arrays.empty() ? 0 : in.whole->arrays.front().array.size();
}

const Artifact& StepCall::artifact(std::string_view name) const {
  const InputState& in = input(name);
  if (in.whole == nullptr || in.queue != nullptr) misuse("the whole of the stream", name);
  return *in.whole;
}

Value array_facts(DType dtype, const Shape& shape) {
  return Value::object({{"dtype", dtype_name(dtype)}, {"shape", shape_value(shape)}});
}

void set_array_facts(Value& metadata, const std::vector<std::pair<std::string, Value>>& arrays) {
  Value all = Value::object();
  for (const auto& [name, facts] : arrays) all.set(name, facts);
  metadata.set("arrays", all);
  if (arrays.size() == 1) {
    metadata.set("array", arrays.front().first);
    metadata.set("dtype", arrays.front().second.at("dtype"));
    metadata.set("shape", arrays.front().second.at("shape"));
  } else {
    for (const char* key : {"array", "dtype", "shape"}) metadata.erase(key);
  }
}

void StepCall::emit(std::string_view name, std::vector<NamedArray> arrays, Value metadata) {
  OutputState& out = output(name);
  if (out.opened) misuse("a second hand-over of output", name);
  out.opened = true;
  std::vector<std::pair<std::string, Value>> facts;
  for (const NamedArray& named : arrays)
    facts.emplace_back(named.name, array_facts(named.array.dtype(), named.array.shape()));
  set_array_facts(metadata, facts);
  out.artifact =
      std::make_shared<Artifact>(Artifact{out.port->kind, std::move(arrays), std::nullopt, std::move(metadata)});
}

void StepCall::emit_document(std::string_view name, Value document, Value metadata) {
  OutputState& out = output(name);
  if (out.opened) misuse("a second hand-over of output", name);
  out.opened = true;
  out.artifact = std::make_shared<Artifact>(Artifact{out.port->kind, {}, std::move(document), std::move(metadata)});
}

void StepCall::metric(std::string_view name, double value) { result_.metrics.set(name, value); }
void StepCall::count_metric(std::string_view name, std::uint64_t value) { result_.metrics.set(name, value); }
void StepCall::signed_count_metric(std::string_view name, std::int64_t value) { result_.metrics.set(name, value); }
void StepCall::step_metadata(std::string_view key, Value value) { result_.metadata.set(key, std::move(value)); }

Result<void> StepCall::progress(std::string_view phase, std::uint64_t completed, std::uint64_t total,
                                std::string_view unit) {
  host_.step_progress(index_, phase, completed, total, unit);
  if (options_.cancel == nullptr) return {};
  return options_.cancel->check("stopped in step " + task_.id);
}

Result<FileContent> StepCall::read_file(const std::string& path, std::uint64_t limit) {
  NOEMA_TRY(FileContent content, host_.read_file(path, limit));
  const bool known =
      std::ranges::any_of(result_.files, [&](const InputFile& file) { return file.path == content.path; });
  if (!known) result_.files.push_back({content.path, content.sha256, content.bytes.size()});
  return content;
}

void StepCall::open_output(std::string_view name, std::string_view member, DType dtype, std::uint64_t length,
                           Value opening) {
  if (phase_ != Phase::open) misuse("open_output outside open, for", name);
  OutputState& out = output(name);
  if (out.opened) misuse("a second opening of output", name);
  out.opened = true;
  out.is_stream = true;
  out.member = std::string(member);
  out.dtype = dtype;
  out.length = length;
  set_array_facts(opening, {{out.member, array_facts(dtype, {length})}});
  out.metadata = std::move(opening);
}

void StepCall::close_output(std::string_view name, Value metadata) {
  OutputState& out = output(name);
  if (phase_ != Phase::close || !out.is_stream) misuse("close_output outside close, for", name);
  set_array_facts(metadata, {{out.member, array_facts(out.dtype, {out.length})}});
  out.metadata = std::move(metadata);
}

std::pair<const void*, std::uint64_t> StepCall::peek_bytes(std::string_view name, DType dtype, std::uint64_t multiple) {
  InputState& in = stream_input(name);
  if (in.queue->dtype() != dtype) misuse("another element type than the stream has at", name);
  const Segment segment = in.queue->peek(multiple);
  return {segment.data, segment.count};
}

void StepCall::consume(std::string_view name, std::uint64_t count) {
  stream_input(name).queue->consume(count);
  moved_ += count;
}

std::uint64_t StepCall::consumed(std::string_view name) const {
  return const_cast<StepCall*>(this)->stream_input(name).queue->consumed();
}

void* StepCall::reserve_bytes(std::string_view name, DType dtype, std::uint64_t count) {
  OutputState& out = output(name);
  if (!out.is_stream || out.dtype != dtype) misuse("room of another element type at", name);
  if (out.committed + count > out.length) misuse("more room than was declared for", name);
  out.block = pool_.take(count * item_size(dtype));
  out.block_room = count;
  return out.block.get();
}

void StepCall::commit(std::string_view name, std::uint64_t count) {
  OutputState& out = output(name);
  if (out.block == nullptr || count > out.block_room) misuse("a commit without room at", name);
  const std::byte* data = out.block.get();
  deliver(out, {std::move(out.block), data, count});
  out.block = nullptr;
}

std::uint64_t StepCall::committed(std::string_view name) const { return output(name).committed; }

void StepCall::forward(std::string_view in, std::string_view out, std::uint64_t count) {
  InputState& source = stream_input(in);
  OutputState& target = output(out);
  if (!target.is_stream || target.dtype != source.queue->dtype()) misuse("to forward another element type to", out);
  std::uint64_t left = count;
  while (left > 0) {
    Segment segment = source.queue->peek(1);
    if (segment.count == 0) misuse("to forward more than has arrived at", in);
    segment.count = std::min(segment.count, left);
    left -= segment.count;
    source.queue->consume(segment.count);
    deliver(target, std::move(segment));
  }
}

void StepCall::deliver(OutputState& out, Segment segment) {
  if (segment.count == 0) return;
  out.committed += segment.count;
  moved_ += segment.count;
  if (out.committed > out.length) misuse("to commit more than was declared for", out.port->name);
  const std::uint64_t bytes = segment.count * item_size(out.dtype);
  if (out.collect_at != nullptr) {
    std::memcpy(out.collect_at, segment.data, bytes);
    out.collect_at += bytes;
  }
  for (InputQueue* queue : out.consumers) queue->push(segment);
  if (out.strand != nullptr) {
    auto* sink = out.sink;
    out.strand->post(bytes, [sink, segment = std::move(segment), bytes] {
      return sink->append({segment.data, bytes});
    });
  }
}

}  // namespace noema
