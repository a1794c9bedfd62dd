"""What can be wrong with a request about people, devices and contacts."""

from clarion.base.errors import BadInput, Conflict, Forbidden, NotFound


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


class NoSuchRotation(NotFound):
    code = "no_such_rotation"

    def __init__(self, rotation_id: str) -> None:
        super().__init__(f"There is no rotation {rotation_id!r}.")


class NeedsConsent(Forbidden):
    """The same for what belongs to somebody else and for what does not exist."""

    code = "needs_consent"

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address} is not yours to be told.",
            hint="Add the contact without an address and send them the invitation: they name it.",
        )


class NotAgreed(Conflict):
    """Nobody is told anything, not even that it is a test, before they agreed."""

    code = "not_agreed"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} has not agreed yet.", hint="Send the invitation: POST …/contacts/{id}/invite."
        )


class TooManyContacts(Conflict):
    code = "too_many_contacts"

    def __init__(self, most: int) -> None:
        super().__init__(f"One person has at most {most} contacts.")


class TooManyRotations(Conflict):
    code = "too_many_rotations"

    def __init__(self, most: int) -> None:
        super().__init__(f"One person has at most {most} rotations.")


class BadAddress(BadInput):
    """An address to which nothing can ever be sent."""

    code = "bad_address"


class AlreadyThere(Conflict):
    code = "already_there"
