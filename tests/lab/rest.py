"""A client that openapi-python-client made from our document: sets, is refused, confirms."""

import json
import sys
from datetime import datetime

from clarion_client import AuthenticatedClient
from clarion_client.api.reminders import reminders_confirm, reminders_create, reminders_get
from clarion_client.models import ReminderIn

url, token, at = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
made = reminders_create.sync(
    client=client, body=ReminderIn(content="吃药", trigger_at=datetime.fromisoformat(at))
)
none = reminders_get.sync("rem_none", client=client)
done = reminders_confirm.sync(made.id, client=client)
told = {"sets": made.content, "refused": none.code, "confirms": str(done.status)}
sys.stdout.write(json.dumps(told) + "\n")
