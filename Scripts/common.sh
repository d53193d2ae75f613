# Sourced by the scripts beside it: where the package is, what it needs, how it is built.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit "${2:-1}"
}

command -v swift >/dev/null || fail "no Swift toolchain on the PATH: see https://www.swift.org/install"

# Asks the toolchain's own clang, so that a header counts exactly when the build would find it.
has_header() {
  local swift clang
  swift=$(readlink -f "$(command -v swift)" 2>/dev/null || command -v swift)
  clang="$(dirname "$swift")/clang"
  [ -x "$clang" ] || clang=$(command -v clang || command -v cc) || return 1
  printf '#include <%s>\n' "$1" | "$clang" -E -x c - >/dev/null 2>&1
}

# need_header HEADER DEBIAN_PACKAGE: installs the package when its header is missing and this user may.
need_header() {
  has_header "$1" && return
  command -v apt-get >/dev/null || fail "<$1> is missing: install SQLite's and libcurl's development headers"
  local sudo=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "<$1> is missing; type: sudo apt-get install -y $2"
    sudo=(sudo -n)
  fi
  echo "Installing $2 for <$1> …" >&2
  local apt=(${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  # A new machine has no package lists, or old ones: fetch them once and try again.
  "${apt[@]}" install -y "$2" >/dev/null 2>&1 ||
    { "${apt[@]}" update >/dev/null && "${apt[@]}" install -y "$2" >/dev/null; } ||
    fail "could not install $2; type: apt-get update && apt-get install -y $2"
  has_header "$1" || fail "$2 is installed, but <$1> is still not found"
}

need_headers() {
  [ "$(uname)" = Linux ] || return 0
  need_header sqlite3.h libsqlite3-dev
  need_header curl/curl.h libcurl4-openssl-dev
  need_header zlib.h zlib1g-dev
}

# One set of flags for every build, so that the scripts share what they have built.
build_flags=()
if [ "${LARDER_WARNINGS:-}" = error ]; then build_flags+=(-Xswiftc -warnings-as-errors); fi
