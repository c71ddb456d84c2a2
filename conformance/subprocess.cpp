// SPDX-License-Identifier: Apache-2.0
#include "conformance/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/json.h"

namespace noema::conformance {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void broken(const std::string& what) { throw std::runtime_error("the test can't go on: " + what); }

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

int scratch_file(const char* name) {
  const int file = ::memfd_create(name, MFD_CLOEXEC);
  if (file < 0) broken("memfd_create");
  return file;
}

std::string whole(int file) {
  std::string text;
  char buffer[65536];
  if (::lseek(file, 0, SEEK_SET) < 0) broken("lseek");
  for (ssize_t got = 0; (got = ::read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

/// In the new process: nothing but system calls between fork and exec, all memory was prepared before.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment, const Launch& launch,
                         int out, int err) {
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int in = ::open("/dev/null", O_RDONLY);
  bool ready = in >= 0 && ::dup2(in, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(err, 2) == 2 &&
               ::chdir(launch.folder.c_str()) == 0;
  if (launch.file_limit > 0) {
    const rlimit limit{launch.file_limit, launch.file_limit};
    ready = ready && ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
  }
  constexpr uid_t nobody = 65534;
  if (launch.as_nobody) ready = ready && ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
  if (ready) ::execve(program, arguments, environment);
  _exit(127);
}

}  // namespace

Scratch::Scratch() {
  std::string pattern = (fs::temp_directory_path() / "noema_test_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) broken("mkdtemp");
  path_ = fs::canonical(pattern).string();
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Scratch::write(std::string_view name, std::string_view bytes) const {
  const std::string path = *this / name;
  fs::create_directories(fs::path(path).parent_path());
  overwrite(path, bytes);
  return path;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) broken("reading " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void overwrite(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) broken("writing " + path);
}

std::map<std::string, std::string> tree_of(const std::string& folder) {
  std::map<std::string, std::string> tree;
  if (!fs::exists(folder)) return tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string& content = tree[entry.path().lexically_relative(folder).string()];
    if (entry.is_symlink()) {
      content = "-> " + fs::read_symlink(entry.path()).string();
    } else {
      content = entry.is_directory() ? "/" : file_bytes(entry.path().string());
    }
  }
  return tree;
}

Child::Child(const std::string& program, const Launch& launch) {
  out_ = launch.output.empty() ? scratch_file("out") : ::open(launch.output.c_str(), O_WRONLY | O_CLOEXEC);
  if (out_ < 0) broken("opening " + launch.output);
  int err = -1;
  if (launch.terminal) {
    terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal_ < 0 || ::grantpt(terminal_) != 0 || ::unlockpt(terminal_) != 0) broken("a terminal");
    err = ::open(::ptsname(terminal_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  } else {
    err_ = scratch_file("err");
    err = err_;
  }
  std::vector<std::string> words{program};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  variables.erase("NO_COLOR");
  for (const auto& [name, value] : launch.environment) variables[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  std::vector<char*> environment;
  for (std::string& line : lines) environment.push_back(line.data());
  environment.push_back(nullptr);

  started_ = now();
  process_ = ::fork();
  if (process_ == 0) become(program.c_str(), arguments.data(), environment.data(), launch, out_, err);
  if (launch.terminal) ::close(err);
  if (process_ < 0) broken("fork");
}

Child::~Child() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  for (const int file : {out_, err_, terminal_}) {
    if (file >= 0) ::close(file);
  }
}

void Child::send(int signal) const { ::kill(process_, signal); }

Finished Child::wait(double seconds) {
  Finished finished;
  int status = 0;
  const double end = now() + seconds;
  const auto drain = [&] {
    pollfd ready{terminal_, POLLIN, 0};
    char buffer[4096];
    while (terminal_ >= 0 && ::poll(&ready, 1, 0) > 0) {
      const ssize_t got = ::read(terminal_, buffer, sizeof buffer);
      if (got <= 0) break;
      finished.err.append(buffer, static_cast<std::size_t>(got));
    }
  };
  while (true) {
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) break;
    if (now() > end) {
      finished.timed_out = true;
      ::kill(process_, SIGKILL);
      ::waitpid(process_, &status, 0);
      break;
    }
    drain();
    ::usleep(1000);
  }
  process_ = -1;
  finished.seconds = now() - started_;
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  drain();
  if (err_ >= 0) finished.err = whole(err_);
  if (::fcntl(out_, F_GET_SEALS) >= 0) finished.out = whole(out_);  // ours, and not a file that a test named
  return finished;
}

Finished noema_program(const Launch& launch) { return Child(noema_path(), launch).wait(); }

Finished noema_program(std::vector<std::string> arguments, const std::string& folder) {
  Launch launch;
  launch.arguments = std::move(arguments);
  launch.folder = folder;
  return noema_program(launch);
}

std::vector<std::string> errors_of_verification(const std::string& bundle) {
  const auto report = parse_json(noema_program({"runs", "verify", bundle, "--json"}, "/").out);
  if (!report || report->find("checks") == nullptr) return {"verify.none"};
  std::vector<std::string> errors;
  for (const Value& check : report->at("checks").items()) {
    const std::string& id = check.at("id").string();
    if (check.at("status") == Value("error") && std::ranges::find(errors, id) == errors.end()) errors.push_back(id);
  }
  return errors;
}

std::string noema_path() { return NOEMA_PROGRAM; }
std::string source_folder() { return NOEMA_SOURCE_DIR; }
std::string shared_folder() { return NOEMA_SHARED_DIR; }

}  // namespace noema::conformance
