"""The page that turns a one-time code into a session. The code stands behind the `#`.

What is behind the `#` never reaches a server by itself, so neither logs nor link previews see
it; the page's own script sends it once.
"""

import base64
import hashlib

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

SCRIPT = """
const say = (text) => { document.querySelector("p").textContent = text; };
const form = document.querySelector("form");
const asked = new URLSearchParams(location.search).get("next") ?? "";
const next = asked.startsWith("/oauth/consent?") ? asked : "/";
async function login(code) {
  const answer = await fetch("/api/v1/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) location.replace(next);
  else { say((await answer.json()).detail); form.hidden = false; }
}
form.addEventListener("submit", (event) => { event.preventDefault(); login(form.code.value); });
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname + location.search);
if (code) login(code); else form.hidden = false;
"""
STYLE = """
:root { color-scheme: light dark; --paper: #f6f3ec; --card: #fffdf9; --ink: #22302d; }
:root { --line: #8b968f; --accent: #1d6b58; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #151a19; --card: #1d2422; --ink: #e8ebe6; }
  :root { --line: #6d7d77; --accent: #7cc8b0; --on: #0e2a22; }
}
body { font: 1.05rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid;
  place-items: center; background: var(--paper); color: var(--ink); }
main { width: min(24rem, 100vw - 5rem); padding: 1.5rem; border-radius: 16px;
  background: var(--card); }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
form { display: grid; gap: .75rem; } form[hidden] { display: none; }
label { display: grid; gap: .25rem; }
input, button { font: inherit; padding: .6rem .8rem; border-radius: 10px; color: inherit;
  border: 1px solid var(--line); background: transparent; }
button { background: var(--accent); color: var(--on); border-color: var(--accent);
  font-weight: 600; }
"""
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/console/icon.svg"><style>{STYLE}</style></head>
<body><main><h1>Clarion</h1><p role="status"></p>
<form hidden><label>Code · 登录码 <input name="code" autocomplete="off" required></label>
<button>Log in · 登录</button><small>clarion token login</small></form></main>
<script>{SCRIPT}</script></body></html>
"""


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


SAFE = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'sha256-{digest(SCRIPT)}';"
        f" style-src 'sha256-{digest(STYLE)}'; img-src 'self';"
        " connect-src 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def login_routes() -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/login")
    async def login() -> Response:
        return HTMLResponse(PAGE, headers=SAFE)

    return router
