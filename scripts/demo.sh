#!/usr/bin/env bash
# From a built tree to a verified sweep over real photographs: fetches some of them (2.9 MB, through apt, unpacked
# into the workspace and not installed), runs the flagship recipe, prints its table and says where everything lies.
set -euo pipefail
cd "$(dirname "$0")/.."
noema=build/release/noema
workspace=.noema
photographs=$workspace/datasets/photographs
package=budgie-control-center-data

say() { printf '\n[demo] %s\n' "$*"; }

if [ ! -f "$photographs/.complete" ]; then
  say "1/3 photographs: downloading Debian's package $package"
  if ! command -v apt-get >/dev/null; then
    echo "[demo] this system has no apt-get; put some .jpg files into $photographs and run again" >&2
    exit 2
  fi
  mkdir -p "$photographs"
  scratch=$(mktemp -d "$workspace/fetch.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  fetch() { (cd "$scratch" && apt-get download -qq "$package" >/dev/null 2>&1); }
  chmod 755 "$scratch"
  if ! fetch; then
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    fetch || { echo "[demo] apt can't download $package; check the network" >&2; exit 2; }
  fi
  dpkg-deb -x "$scratch"/"$package"_*.deb "$scratch/unpacked"
  # Many names in that folder are links to older, small pictures: regular files only.
  find "$scratch/unpacked/usr/share/pixmaps/budgie-faces" -maxdepth 1 -type f -name '*.jpg' -exec cp {} "$photographs/" \;
  count=$(find "$photographs" -name '*.jpg' | wc -l)
  [ "$count" -gt 0 ] || { echo "[demo] the package holds no photographs; its layout has changed" >&2; exit 2; }
  touch "$photographs/.complete"
  echo "[demo] $count photographs in $photographs (the sources were JPEG files already)"
else
  say "1/3 photographs: $(find "$photographs" -name '*.jpg' | wc -l) are there already"
fi

say "2/3 flagship: JPEG pictures in CRC packets over QPSK and AWGN, Es/N0 0 to 20 dB, repetition 1 and 3"
"$noema" recipe run-matrix recipes/jpeg_over_awgn.yaml --retain reports

say "3/3 verification of the last run, as a reviewer would do it"
last=$("$noema" runs list | tail -n 1 | cut -d' ' -f1)
"$noema" runs verify "$last" --catalog builtin
sweep=$(ls -d "$workspace"/sweeps/*jpeg_over_awgn* | tail -n 1)
say "look at $sweep/figure.svg, and at sent.png and received.png beside it; evidence of each point: $workspace/runs"
