"""What can be wrong with a request about people, devices and contacts."""

from clarion.base.errors import Conflict, Forbidden, NotFound


class NoSuchUser(NotFound):
    code = "no_such_user"

    def __init__(self, user_id: str) -> None:
        super().__init__(
            f"There is no user {user_id!r}.", hint="Add them first: POST /api/v1/users."
        )


class NoSuchDevice(NotFound):
    code = "no_such_device"

    def __init__(self, device_id: str) -> None:
        super().__init__(f"There is no device {device_id!r}.")


class NoSuchContact(NotFound):
    code = "no_such_contact"

    def __init__(self, contact_id: str) -> None:
        super().__init__(f"There is no contact {contact_id!r}.")


class NeedsConsent(Forbidden):
    """The same for what belongs to somebody else and for what does not exist."""

    code = "needs_consent"

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address} is not yours to be told.",
            hint="Name a device or chat of your own, or ask an admin to set it up.",
        )


class AlreadyThere(Conflict):
    code = "already_there"
