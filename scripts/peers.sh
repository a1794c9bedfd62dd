#!/usr/bin/env bash
# Installs the peers of the benchmarks into benchmarks/.peers, apart from .venv, where nothing of
# Clarion sees them. Does nothing when the same lists were installed before. A peer that cannot be
# had is named and left out: the benchmarks run without it and say so.
set -euo pipefail
cd "$(dirname "$0")/.."

home=${CLARION_BENCHMARK_PEERS:-benchmarks/.peers}
key=$(cat benchmarks/peers*.txt scripts/peers.sh | sha256sum)
stamp=$home/.installed
if [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then exit 0; fi

say() { printf 'clarion: %s\n' "$*" >&2; }
whole=yes

# install VENV LIST: one that is not there must not cost the others.
install() {
  local pip=("$home/$1/bin/python" -m pip install -q --disable-pip-version-check --prefer-binary) line
  if [ ! -x "$home/$1/bin/python" ]; then .venv/bin/python -m venv "$home/$1"; fi
  if "${pip[@]}" -r "$2"; then return; fi
  while read -r line; do
    case $line in '' | '#'*) continue ;; esac
    if ! "${pip[@]}" "$line"; then
      say "left out: $line"
      whole=no
    fi
  done < "$2"
}

say "installing the peers of the benchmarks (some minutes the first time)"
mkdir -p "$home"
install venv benchmarks/peers.txt
install venv-arq benchmarks/peers-arq.txt
mapfile -t packages < benchmarks/peers-node.txt
if ! command -v npm >/dev/null; then
  say "left out, for there is no npm here: ${packages[*]}"
  whole=no
elif ! npm install --prefix "$home" --silent --no-audit --no-fund "${packages[@]}" >/dev/null; then
  say "left out: ${packages[*]}"
  whole=no
fi
if [ $whole = yes ]; then printf '%s' "$key" > "$stamp"; fi
