// noema data fetch kodak: the only command that uses the network, and only when asked.
// SPDX-License-Identifier: Apache-2.0
#include <curl/curl.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/context.h"
#include "core/digest.h"
#include "core/files.h"
#include "ops/common/media/kodak.h"

namespace noema::cli {
namespace {

namespace fs = std::filesystem;

struct Download {
  std::string bytes;
  std::uint64_t limit = 0;
};

std::size_t receive(char* data, std::size_t, std::size_t count, void* user) {
  auto& download = *static_cast<Download*>(user);
  if (download.bytes.size() + count > download.limit) return 0;
  download.bytes.append(data, count);
  return count;
}

/// https, or plain http from this machine itself.
Result<std::string> fetch(const std::string& url, std::uint64_t limit) {
  const bool loopback =
      url.starts_with("http://127.0.0.1") || url.starts_with("http://localhost") || url.starts_with("http://[::1]");
  const auto refuse = [&](std::string message, std::string hint = {}) {
    Error error{Code{"io.network"}, {}, std::move(message), std::move(hint), {}};
    error.at.file = url;
    return error;
  };
  if (!url.starts_with("https://") && !loopback) return refuse("only https is fetched");
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);
  if (handle == nullptr) return refuse("libcurl does not start");
  Download download{{}, limit};
  const char* schemes = loopback ? "http" : "https";
  curl_easy_setopt(handle.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle.get(), CURLOPT_PROTOCOLS_STR, schemes);
  curl_easy_setopt(handle.get(), CURLOPT_REDIR_PROTOCOLS_STR, schemes);
  curl_easy_setopt(handle.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(handle.get(), CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_CONNECTTIMEOUT, 20L);
  curl_easy_setopt(handle.get(), CURLOPT_LOW_SPEED_LIMIT, 1000L);
  curl_easy_setopt(handle.get(), CURLOPT_LOW_SPEED_TIME, 30L);
  curl_easy_setopt(handle.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &download);
  const CURLcode outcome = curl_easy_perform(handle.get());
  if (outcome == CURLE_WRITE_ERROR)
    return refuse(fmt::format("the answer is larger than the {} bytes that the pin states", limit));
  if (outcome != CURLE_OK) {
    return refuse(fmt::format("can't fetch: {}", curl_easy_strerror(outcome)),
                  "check the network, or copy the files into the folder by hand");
  }
  return std::move(download.bytes);
}

void run_fetch(Context& context, std::string folder, std::size_t limit, const std::string& base) {
  if (folder.empty()) folder = context.workspace + "/datasets/kodak";
  Value files = Value::array();
  const auto outcome = [&]() -> Result<void> {
    NOEMA_CHECK(make_folders(folder));
    for (std::size_t i = 0; i < limit; ++i) {
      const media::KodakFile& file = media::kodak_files.at(i);
      const std::string path = (fs::path(folder) / file.name()).string();
      const char* state = "present";
      std::error_code ignored;
      if (fs::exists(path, ignored)) {
        NOEMA_TRY(const std::string digest, sha256_file(path));
        if (digest != file.sha256) {
          Error error{
              Code{"data.digest"},
              {},
              fmt::format("{} is not the pinned file: SHA-256 {} instead of {}", file.name(), digest, file.sha256),
              "move it away and fetch again",
              {}};
          error.at.file = path;
          return error;
        }
      } else {
        NOEMA_TRY(const std::string bytes,
                  fetch(base.empty() ? media::kodak_url(file) : base + "/" + file.name(), file.bytes));
        const std::string digest = sha256_hex(bytes);
        if (bytes.size() != file.bytes || digest != file.sha256) {
          return Error{Code{"data.digest"},
                       {},
                       fmt::format("what was served as {} has {} bytes and SHA-256 {}; the pin says {} bytes and {}",
                                   file.name(), bytes.size(), digest, file.bytes, file.sha256),
                       "nothing was kept of it",
                       {}};
        }
        NOEMA_CHECK(write_file_atomic(path, bytes));
        state = "fetched";
      }
      if (!context.json) context.print(fmt::format("{} {}\n", file.name(), state));
      files.push(Value::object(
          {{"filename", file.name()}, {"sha256", file.sha256}, {"size_bytes", file.bytes}, {"state", state}}));
    }
    return {};
  }();
  if (!outcome) return context.fail(outcome.error());
  if (context.json)
    context.print_document(Value::object({{"dataset", "kodak"}, {"directory", folder}, {"files", files}}));
}

}  // namespace

void add_data_commands(CLI::App& app, Context& context) {
  CLI::App* data = app.add_subcommand("data", "Fetch pinned datasets")->require_subcommand(1);
  CLI::App* fetch_command =
      data->add_subcommand("fetch", "Download a dataset; every file is checked against its pinned SHA-256");
  auto name = std::make_shared<std::string>();
  auto folder = std::make_shared<std::string>();
  auto base = std::make_shared<std::string>();
  auto limit = std::make_shared<std::size_t>(media::kodak_files.size());
  fetch_command->add_option("dataset", *name, "kodak")->required()->check(CLI::IsMember({"kodak"}));
  fetch_command->add_option("--directory", *folder, "where to put the files (default: WORKSPACE/datasets/kodak)");
  fetch_command->add_option("--limit", *limit, "only the first N files")
      ->check(CLI::Range(std::size_t{1}, media::kodak_files.size()));
  fetch_command->add_option("--from", *base, "fetch from this address instead (https, or http on this machine)");
  fetch_command->callback([&context, folder, limit, base] { run_fetch(context, *folder, *limit, *base); });
}

}  // namespace noema::cli
