#!/usr/bin/env bash
# Installs with apt the programs that the tests start; where it may not, says what is missing.
# The tests start private copies of them, so none is left running by this script.
set -euo pipefail

has_postgres() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }
has_chinese_font() { compgen -G '/usr/share/fonts/*/noto/NotoSansCJK*' >/dev/null; }

missing=()
need() {
  local package=$1
  shift
  if ! "$@" >/dev/null 2>&1; then missing+=("$package"); fi
}

# Debian puts servers into /usr/sbin, which a user's PATH may not have.
PATH=$PATH:/usr/sbin:/sbin
need redis-server command -v redis-server
need postgresql has_postgres
need mosquitto command -v mosquitto
need chromium command -v chromium
need firefox-esr command -v firefox-esr
need prometheus command -v promtool
need nodejs command -v node
need curl command -v curl
need fonts-noto-cjk has_chinese_font
need faketime command -v faketime

if [ ${#missing[@]} = 0 ]; then exit 0; fi

if [ "$(id -u)" = 0 ]; then
  as_root=()
elif sudo -n true 2>/dev/null; then
  as_root=(sudo)
else
  as_root=(false)
fi

if [ "${as_root[0]:-}" = false ] || ! command -v apt-get >/dev/null; then
  printf 'clarion: the tests need what is not here: %s\n' "${missing[*]}" >&2
  printf 'clarion: run  sudo apt-get install %s\n' "${missing[*]}" >&2
  exit 1
fi

printf 'clarion: installing %s\n' "${missing[*]}" >&2

# Packages start their servers when installed; 101 is how Debian is told not to.
guard=/usr/sbin/policy-rc.d
if [ ! -e "$guard" ]; then
  trap '"${as_root[@]}" rm -f "$guard"' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$guard" >/dev/null
  "${as_root[@]}" chmod +x "$guard"
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
