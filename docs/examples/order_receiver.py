"""Carries out tasks of the kind `shop.order`: checks the signature, answers with the result.

    python docs/examples/order_receiver.py whsec_… 9000

Standard library alone. The same task may come twice: its id is the same then.
"""

import base64
import hashlib
import hmac
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(sys.argv[1].removeprefix("whsec_"))
done: dict[str, dict[str, str]] = {}


class Orders(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = (
            f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        )
        right = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
        if not hmac.compare_digest(f"v1,{right}", self.headers["webhook-signature"]):
            self.answer(401, {"error": "not signed by our Clarion"})
            return
        task = json.loads(body)
        result = done.setdefault(task["id"], {"ordered": task["payload"]["article"]})
        self.answer(200, result)

    def answer(self, status: int, value: object) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())


HTTPServer(("127.0.0.1", int(sys.argv[2])), Orders).serve_forever()
