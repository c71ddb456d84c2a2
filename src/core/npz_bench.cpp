// What writing an artifact costs: CRC-32, SHA-256, both with the container, and the file itself.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/crc32.h"
#include "core/npz_reader.h"
#include "core/npz_writer.h"

namespace noema {
namespace {

std::vector<std::byte> content(std::int64_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  std::uint32_t state = 1;
  for (auto& byte : bytes) byte = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 31);
  return bytes;
}

void set_rate(benchmark::State& state) { state.SetBytesProcessed(state.iterations() * state.range(0)); }

void crc_folding(benchmark::State& state) {
  const auto bytes = content(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(crc32(0, bytes));
  set_rate(state);
}
void crc_zlib(benchmark::State& state) {
  const auto bytes = content(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(crc32_plain(0, bytes));
  set_rate(state);
}
void sha256(benchmark::State& state) {
  const auto bytes = content(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(sha256_hex(bytes));
  set_rate(state);
}

void write_all(benchmark::State& state, const std::vector<std::byte>& bytes, ByteSink& sink, Compression compression) {
  NpzWriter writer(sink, compression);
  bool good = writer.begin_array("bits", DType::u8, {bytes.size()}).has_value();
  constexpr std::size_t piece = 1 << 16;
  for (std::size_t at = 0; good && at < bytes.size(); at += piece) {
    good = writer.append(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at))).has_value();
  }
  good = good && writer.end_array() && writer.finish(Value::object());
  if (!good) state.SkipWithError("writing failed");
}

void digest_only(benchmark::State& state) {
  const auto bytes = content(state.range(0));
  for (auto _ : state) {
    HashSink hash;
    write_all(state, bytes, hash, Compression::stored);
    benchmark::DoNotOptimize(hash.hex());
  }
  set_rate(state);
}

void to_file(benchmark::State& state, Compression compression) {
  const auto bytes = content(state.range(0));
  const auto folder =
      std::filesystem::exists("/dev/shm") ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
  const std::string path = (folder / ("noema_npz_bench." + std::to_string(::getpid()))).string();
  for (auto _ : state) {
    auto file = FileSink::create(path);
    if (!file) {
      state.SkipWithError("no file");
      break;
    }
    HashSink hash(&*file);
    write_all(state, bytes, hash, compression);
    if (!file->finish()) state.SkipWithError("not finished");
    std::filesystem::remove(path);
  }
  set_rate(state);
}
void stored(benchmark::State& state) { to_file(state, Compression::stored); }
void deflated(benchmark::State& state) { to_file(state, Compression::deflated); }

BENCHMARK(crc_folding)->Arg(1 << 26);
BENCHMARK(crc_zlib)->Arg(1 << 26);
BENCHMARK(sha256)->Arg(1 << 26);
BENCHMARK(digest_only)->Arg(1 << 26);
BENCHMARK(stored)->Arg(1 << 26);
BENCHMARK(deflated)->Arg(1 << 24);

}  // namespace
}  // namespace noema
