#!/usr/bin/env bash
# Checks or tests the console's JavaScript with Node, as it lies there: there is no build step.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t modules < <(find clarion/console tests/console -name '*.js' -o -name '*.mjs' 2>/dev/null | sort)
if [ ${#modules[@]} = 0 ]; then exit 0; fi
if ! command -v node >/dev/null; then
  echo 'clarion: checking the console needs Node. Run: sudo apt-get install nodejs' >&2
  exit 1
fi

case ${1:-check} in
  check) for module in "${modules[@]}"; do node --check "$module"; done ;;
  test)
    mapfile -t tests < <(find tests/console -name '*.test.*js' | sort)
    if [ ${#tests[@]} -gt 0 ]; then node --test "${tests[@]}"; fi
    ;;
esac
