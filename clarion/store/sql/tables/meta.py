"""The one MetaData, with names for every constraint so that migrations can find them."""

from sqlalchemy import BigInteger, Column, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def counted(name: str) -> Column[int]:
    """A key that the database counts. SQLite counts only an INTEGER by itself; AUTOINCREMENT, an
    option of the table there, never reuses a number.
    """
    number = BigInteger().with_variant(Integer, "sqlite")
    return Column(name, number, primary_key=True, autoincrement=True)
