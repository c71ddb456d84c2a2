#!/usr/bin/env bash
# Installs what Noema needs to build and test, through apt alone. Root is used for apt and nothing else.
# Written for Debian 12 (bookworm). Ubuntu 24.04 carries the same packages under the names below except where
# the table says otherwise; that system is untested.
set -euo pipefail

# name on Debian 12            | on Ubuntu 24.04 when it differs
packages=(
  g++ cmake ninja-build make git ca-certificates pkg-config
  nlohmann-json3-dev libyaml-cpp-dev libssl-dev zlib1g-dev libzip-dev
  libhwy-dev libtbb-dev libfmt-dev libcli11-dev libsqlite3-dev
  libjpeg62-turbo-dev          # libjpeg-turbo8-dev
  libpng-dev libwebp-dev libcurl4-openssl-dev
  libgtest-dev libbenchmark-dev
  clang clang-format libclang-rt-14-dev   # libclang-rt-18-dev
  python3 python3-numpy time
)

say() { printf '[setup] %s\n' "$*"; }

missing=()
for name in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
done
if [ "${#missing[@]}" -eq 0 ]; then
  say "all ${#packages[@]} packages are installed"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  say "this system has no apt-get; install by hand: ${missing[*]}"
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "run 'apt-get install ${missing[*]}' as root, then try again"
    exit 1
  fi
  as_root=(sudo)
fi
say "installing ${#missing[@]} packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
say "done"
