#!/usr/bin/env bash
# Makes .venv and installs the pinned packages into it: `install.sh run` or `install.sh dev`.
# Does nothing when the same files were installed before, so that a second start is instant.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-run}
files=(requirements/run.txt requirements/build.txt)
if [ "$what" = dev ]; then files+=(requirements/dev.txt); fi
stamp=.venv/.installed-$what
key=$(cat "${files[@]}" pyproject.toml scripts/install.sh | sha256sum)

if [ -x .venv/bin/clarion ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then exit 0; fi

say() { printf 'clarion: %s\n' "$*" >&2; }

find_python() {
  local candidate
  for candidate in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  say "Python 3.11 or newer is needed and was not found. Install it, or name it: make PYTHON=/path/to/python3.12"
  exit 1
}

# Debian ships Python without the part that makes virtual environments.
need_venv() {
  if "$1" -c 'import ensurepip, venv' 2>/dev/null; then return; fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing python3-venv"
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
    return
  fi
  say "Python cannot make virtual environments here. Run: sudo apt-get install python3-venv"
  exit 1
}

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  python=$(find_python)
  need_venv "$python"
  say "making .venv with $("$python" --version)"
  "$python" -m venv .venv
fi

say "installing packages for '$what' (a few minutes the first time)"
# Each name once: a package may stand in two files, or in two versions for two Pythons. What is
# there already, and what is for other machines, counts as done, so that the count arrives.
total=$(cat "${files[@]}" | grep -oE '^[A-Za-z0-9_.-]+==' | sort -u | wc -l)
.venv/bin/python -m pip install --disable-pip-version-check --compile --progress-bar off \
  --require-hashes --no-deps "${files[@]/#/--requirement=}" |
  awk -v total="$total" '
    /^(Collecting|Processing|Requirement already satisfied:|Ignoring) / {
      name = tolower($1 == "Requirement" ? $4 : $2)
      if ($1 == "Processing") { sub(/.*\//, "", name); sub(/-.*/, "", name); gsub(/[_.]/, "-", name) }
      sub(/[=:].*/, "", name)
      if (!(name in seen)) { seen[name]; n++ }
      if ($1 ~ /ing$/ && $1 != "Ignoring") { printf "clarion:   %d of %d  %s\n", n, total, name; fflush() }
    }
    /^Installing/ { printf "clarion:   %d of %d  all here, unpacking, about a minute\n", n, total; fflush() }' >&2
.venv/bin/python -m pip install -qq --disable-pip-version-check \
  --no-index --no-deps --no-build-isolation --editable .
.venv/bin/python -m compileall -q clarion

printf '%s' "$key" > "$stamp"
