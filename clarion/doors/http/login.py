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
async function login(code) {
  const answer = await fetch("/api/v1/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) location.replace("/");
  else { say((await answer.json()).detail); form.hidden = false; }
}
form.addEventListener("submit", (event) => { event.preventDefault(); login(form.code.value); });
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
if (code) login(code); else form.hidden = false;
"""
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:1.1rem system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem}}
input,button{{font:inherit;padding:.5rem}}</style></head>
<body><h1>Clarion</h1><p></p>
<form hidden><label>Code <input name="code" autocomplete="off" required></label>
<button>Log in</button></form>
<script>{SCRIPT}</script></body></html>
"""
DIGEST = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
SAFE = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'sha256-{DIGEST}'; style-src 'unsafe-inline';"
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
