"""Whose certificate is believed where we call: nobody's that proves nothing."""

import contextlib
import ssl
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from clarion.base.clock import SystemClock
from clarion.base.errors import Unavailable
from clarion.exits.http import GuardedHttp
from tests.support.fakes.hostile import Line, ask, hostile, ok, then_waiting


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> "Authority":
    return Authority(tmp_path_factory.mktemp("tls"))


class Authority:
    """Signs certificates, which are trusted where SSL_CERT_FILE names its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._now = SystemClock().now()
        self.trusted = folder / "authority.pem"
        mine = self._certificate("authority", self._key, self._key, "authority", self._now)
        self.trusted.write_bytes(mine.public_bytes(serialization.Encoding.PEM))

    def _certificate(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        signing: ec.EllipticCurvePrivateKey,
        signer: str,
        until: datetime,
    ) -> x509.Certificate:
        def called(one: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)])

        known_as: x509.GeneralName = x509.DNSName(name)
        with contextlib.suppress(ValueError):
            known_as = x509.IPAddress(ip_address(name))
        return (
            x509.CertificateBuilder()
            .subject_name(called(name))
            .issuer_name(called(signer))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self._now - timedelta(days=9))
            .not_valid_after(until + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([known_as]), critical=False)
            .add_extension(
                x509.BasicConstraints(ca=name == "authority", path_length=None), critical=True
            )
            .sign(signing, hashes.SHA256())
        )

    def server(self, name: str, days: int = 1, *, self_signed: bool = False) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        until = self._now + timedelta(days=days)
        signed = (key, name) if self_signed else (self._key, "authority")
        made = self._certificate(name, key, *signed, until)
        file = self._folder / f"{name}{days}{self_signed}.pem"
        file.write_bytes(
            made.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.mark.parametrize(
    ("name", "days", "self_signed"),
    [
        pytest.param("localhost", 1, True, id="signed by itself"),
        pytest.param("localhost", -3, False, id="expired"),
        pytest.param("other.example", 1, False, id="of another name"),
        pytest.param("127.0.0.1", 1, False, id="of the address, not of the name"),
    ],
)
async def test_a_certificate_that_proves_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    http: GuardedHttp,
    authority: Authority,
    name: str,
    days: int,
    self_signed: bool,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.trusted))
    heard: list[bytes] = []

    async def say(line: Line) -> None:
        heard.append(await line.hear())

    context = authority.server(name, days, self_signed=self_signed)
    async with hostile(say, ssl=context) as server:
        with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
            await ask(http, f"https://localhost:{server.port}/")

        assert heard == []


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
async def test_a_certificate_that_is_right_is_not(
    monkeypatch: pytest.MonkeyPatch, http: GuardedHttp, authority: Authority, name: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.trusted))
    async with hostile(then_waiting(ok(), ok()), ssl=authority.server(name)) as server:
        url = f"https://{name}:{server.port}/"

        assert [(await ask(http, url)).body, (await ask(http, url)).body] == [b"ok", b"ok"]
        assert server.lines == 1
        http.close()
        await server.until_all_left()


async def test_plain_words_where_a_certificate_was_due_are_refused(http: GuardedHttp) -> None:
    async def say(line: Line) -> None:
        await line.say(ok())
        await line.ignore()

    async with hostile(say) as server:
        with pytest.raises(Unavailable):
            await ask(http, f"https://127.0.0.1:{server.port}/")
