"""Keeps a page behind a link up to date: with script in place, without it by loading it again.

The script is the only one that such a page may run: its policy names it by its hash.
"""

import base64
import hashlib

WORDS = {
    "en": "No connection. What you see here may be old.",
    "zh": "连接断开，这里显示的可能已经过时。",
}
SCRIPT = """
const stale = document.getElementById("stale");
let next = 0;
// Only what has changed is exchanged: a chosen time and the focus stay.
const show = (page) => {
  const main = document.querySelector("main"), fresh = [...page.querySelector("main").children];
  fresh.forEach((one, at) => {
    const old = main.children[at];
    if (!old) main.append(one);
    else if (!old.isEqualNode(one)) old.replaceWith(one);
  });
  while (main.children.length > fresh.length) main.lastElementChild.remove();
};
const look = async () => {
  clearTimeout(next);
  if (document.hidden) return;
  try {
    const said = await fetch(location.href, { signal: AbortSignal.timeout(10000) });
    show(new DOMParser().parseFromString(await said.text(), "text/html"));
    stale.hidden = true;
  } catch {
    stale.hidden = false;
  }
  clearTimeout(next);
  next = setTimeout(look, 3000);
};
document.addEventListener("visibilitychange", look);
next = setTimeout(look, 3000);
"""
HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
POLICY = f" script-src 'sha256-{HASH}'; connect-src 'self';"
HEAD = '<noscript><meta http-equiv="refresh" content="15"></noscript>'


def foot(language: str) -> str:
    """What stands behind the page: the words for a lost connection, and the script."""
    said = f'<p id="stale" class="state" role="alert" hidden>{WORDS[language]}</p>'
    return f"{said}<script>{SCRIPT}</script>"
