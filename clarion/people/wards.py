"""Whom a user may remind besides themself: users who have them as a contact, found by name."""

import re

from clarion.base.ids import DeviceId, UserId
from clarion.language.when.words import words
from clarion.people.model import User
from clarion.people.ports import PeopleStore

KIN = tuple(
    frozenset(words(line))
    for line in (
        "妈 妈妈 老妈 母亲 娘 阿妈 老娘 mum mom mother mummy mommy mam ma",
        "爸 爸爸 老爸 父亲 爹 阿爸 老爹 dad father daddy pa",
        "奶奶 外婆 姥姥 婆婆 阿嫲 阿婆 嫲嫲 grandma granny grandmother gran nan nana",
        "爷爷 外公 姥爷 公公 阿公 爷 grandpa grandfather grandad granddad",
        "老婆 妻子 太太 媳妇 媳妇儿 爱人 wife",
        "老公 丈夫 先生 husband hubby",
        "儿子 儿 son",
        "女儿 闺女 姑娘 daughter",
    )
)
OURS = re.compile(r"^(?:我们?的?|俺|咱们?|我家的?|my |our |the )")
LOOSE = re.compile(r"\s+(?:of|about|to|that)$")


async def ward_of(people: PeopleStore, user_id: UserId, said: str) -> User | None:
    """The person with that name whom this user may remind: one who has them as a contact, and whose
    own name or name among this user's contacts fits. None: nobody, or more than one.
    """
    trusting = {one.id: one for one in await people.wards(user_id)}
    named = {one.id for one in trusting.values() if is_called(one.name, said)}
    for contact in await people.contacts(user_id):
        if is_called(contact.name, said) and contact.address.startswith("device:"):
            device = await people.device(DeviceId(contact.address.partition(":")[2]))
            named |= {device.user_id} & trusting.keys() if device and device.user_id else set()
    return trusting[named.pop()] if len(named) == 1 else None


def is_called(name: str, said: str) -> bool:
    """我妈, "my mother" and "Mum" are the same person for the speaker."""
    one, other = plain_name(name), plain_name(said)
    return bool(one) and (one == other or any({one, other} <= kin for kin in KIN))


def as_told(said: str) -> str:
    """As it is said back: "my wife" is "your wife", 我妈 is 您妈."""
    name = LOOSE.sub("", said.strip())
    return re.sub(r"^my (?=\w)", "your ", re.sub(r"^[我俺](?=.)", "您", name), flags=re.IGNORECASE)


def plain_name(said: str) -> str:
    name = LOOSE.sub("", said.strip().casefold())
    return OURS.sub("", name).strip() or name
