"""Joins the devices: their door, their voice, the ways to wake them, and the talk with them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

import clarion
from clarion.access.tokens import Access, TokenKind, hashed, new_secret, new_token_id
from clarion.app.cluster import add_neighbours
from clarion.app.parts import Parts
from clarion.app.services import ReminderServices
from clarion.base.clock import Clock
from clarion.base.ids import DeviceId
from clarion.base.loop import Loop
from clarion.doors.devices.doorman import TokenDoorman
from clarion.doors.devices.ota import OtaDesk, ota_routes
from clarion.doors.devices.ports import Directory
from clarion.doors.devices.session.limits import DOWNLINK, SessionLimits, SessionSettings
from clarion.doors.devices.session.words import is_wake_word
from clarion.doors.devices.wake.channel import DeviceChannel
from clarion.doors.devices.wake.wake import PATIENCE, Wakes
from clarion.doors.devices.wire import gateway, stock
from clarion.doors.devices.wire.gateway import Gateway, GatewayAddress
from clarion.doors.devices.wire.line import LineServices
from clarion.doors.devices.wire.presence import Absence, Presence
from clarion.doors.devices.wire.registry import ConnectionReports, Reception, Registry
from clarion.doors.devices.wire.stock import SoundShelf, StockDriver, StockEndpoint, sound_routes
from clarion.doors.devices.wire.websocket import websocket_routes
from clarion.doors.http.api.people.devices import activation_routes
from clarion.people.activation import Activations, Promise
from clarion.people.model import Device, DeviceKind
from clarion.reminders.ports import Facts
from clarion.reminders.ring_reports import is_answer
from clarion.settings import Settings
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people import activation
from clarion.store.sql.people import store as people
from clarion.store.sql.people.activation import TOKEN_NAME, SqlActivations
from clarion.voice.dictation import Dictation
from clarion.voice.ears import VoiceEars
from clarion.voice.espeak import Espeak
from clarion.voice.services import Service, SpeechService, TranscriptionService
from clarion.voice.sound import Synthesiser
from clarion.voice.speech import Speech

MqttPart = Callable[[str, str, str, str], dict[str, Any]]


def add_ways(
    parts: Parts, reception: Reception, wakes: Wakes, facts: Facts, speech: Speech
) -> MqttPart | None:
    """Fills `wakes` with drivers; the answer is what devices are told about MQTT, if anything.

    The drivers are tried in this order: those that open a session come before those that only show.
    """
    settings = parts.settings
    mqtt: MqttPart | None = None
    if settings.mqtt_url:
        add_broker(parts, reception, wakes, facts, reception.services.directory)
    if settings.gateway_url:
        mqtt = add_gateway(parts, wakes)
    if settings.device_mqtt_port:
        mqtt = add_endpoint(parts, reception, wakes, facts, speech)
    return mqtt


def add_broker(
    parts: Parts, reception: Reception, wakes: Wakes, facts: Facts, directory: Directory
) -> None:
    # Paho is read only where there is a broker.
    from clarion.doors.devices.wire.mqtt import Broker, BrokerAddress

    settings = parts.settings
    address = BrokerAddress(settings.mqtt_url, settings.mqtt_prefix)
    broker = Broker(
        address,
        facts,
        reception.presence,
        directory,
        parts.clock,
        arrived=wakes.arrived,
        positions=parts.positions,
    )
    wakes.drivers.append(broker)
    parts.runners.append(Loop(broker, parts.clock, restarts=parts.restarts))
    parts.closing.push_async_callback(broker.close)


def add_gateway(parts: Parts, wakes: Wakes) -> MqttPart | None:
    settings = parts.settings
    address = GatewayAddress(settings.gateway_url, settings.gateway_key, settings.gateway_mqtt)
    driver = Gateway(address, parts.clock, settings.home_zone)
    wakes.drivers.append(driver)
    parts.closing.push_async_callback(driver.close)
    if not settings.gateway_mqtt:
        return None

    def mqtt_part(hardware: str, client: str, _token: str, _host: str) -> dict[str, Any]:
        return gateway.mqtt_part(address, hardware, client)

    return mqtt_part


def add_endpoint(
    parts: Parts, reception: Reception, wakes: Wakes, facts: Facts, speech: Speech
) -> MqttPart:
    settings = parts.settings
    endpoint = StockEndpoint(
        reception,
        settings.host,
        settings.device_mqtt_port,
        settings.device_udp_port,
        settings.device_host,
    )
    shelf = SoundShelf(speech, settings.public_url, settings.port)
    leftovers = reception.registry.leftovers
    wakes.drivers.append(StockDriver(endpoint, facts, shelf, leftovers, wakes.arrived))
    parts.runners.append(endpoint)
    parts.routers.append(sound_routes(shelf))

    def mqtt_part(hardware: str, client: str, token: str, asked_at: str) -> dict[str, Any]:
        name = settings.device_host or asked_at.partition(":")[0] or settings.host
        return stock.mqtt_part(f"{name}:{settings.device_mqtt_port}", hardware, client, token)

    return mqtt_part


VOICE_THREADS = 2
SPOKEN = (DeviceKind.XIAOZHI, DeviceKind.MQTT, DeviceKind.BROWSER, DeviceKind.TERMINAL)
TOKENS_KEPT = 2  # the one of this boot, and the one of a boot that was cut short


def activations_of(parts: Parts) -> Activations:
    return Activations(SqlActivations(parts.database), parts.clock)


def add_devices(parts: Parts, services: ReminderServices, access: Access) -> Reception:
    settings, clock, database = parts.settings, parts.clock, parts.database
    directory = SqlDirectory(database, clock)
    speech, ears = add_voice(parts)
    lines = LineServices(
        services.facts,
        services.facts,
        directory,
        clock,
        speech,
        ears,
        session_settings_of(settings),
    )
    registry = Registry(settings.device_lines_max)
    presence = Presence(services.facts, clock)
    patience = min(PATIENCE, settings.wake_timeout.total_seconds() / 2)
    wakes = Wakes(facts=services.facts, patience=patience)
    registry.on_open(wakes.opened)
    parts.closing.push_async_callback(wakes.close)
    doorman = TokenDoorman(
        access,
        services.people_store,
        lambda hardware: database.read(activation.device_of, hardware),
        settings.gateway_token,
    )
    reception = Reception(lines, doorman, registry, presence)
    channel = DeviceChannel(registry, wakes, add_neighbours(parts, registry, wakes))
    services.ways.update(dict.fromkeys(SPOKEN, channel))
    parts.add_pass(presence)
    parts.add_pass(ConnectionReports(registry, directory, clock))
    silent = partial(silent_since, database)
    parts.add_pass(Absence(silent, presence, services.facts, clock))
    activations = activations_of(parts)
    mqtt = add_ways(parts, reception, wakes, services.facts, speech)
    keys = OtaKeys(access, database, clock)
    desk = OtaDesk(
        activations, keys, directory, clock, settings.home_zone, settings.public_url, mqtt
    )
    reception = replace(reception, newcomers=desk, language=settings.language)
    parts.routers += [
        websocket_routes(reception),
        ota_routes(desk),
        activation_routes(activations, parts.clock),
    ]
    parts.closing.callback(registry.close_all, "Clarion is stopping")
    return reception


def session_settings_of(settings: Settings) -> SessionSettings:
    limits = SessionLimits(
        window=settings.device_window.total_seconds(),
        idle=settings.device_idle.total_seconds(),
        session=settings.device_session.total_seconds(),
    )
    return SessionSettings(limits, DOWNLINK, clarion.__version__, is_answer, is_wake_word)


def add_voice(parts: Parts) -> tuple[Speech, VoiceEars | None]:
    """A configured service speaks first; espeak-ng is always there to fall back on."""
    settings = parts.settings
    threads = ThreadPoolExecutor(VOICE_THREADS, thread_name_prefix="clarion-voice")
    parts.closing.callback(threads.shutdown, wait=False, cancel_futures=True)
    voices: list[Synthesiser] = [Espeak(threads)]
    if settings.speech_url:
        service = SpeechService(
            Service(
                settings.speech_url,
                settings.speech_key,
                settings.speech_model,
                settings.speech_voice,
            ),
            threads,
        )
        parts.closing.push_async_callback(service.close)
        voices.insert(0, service)
    speech = Speech(voices, threads, rate=DOWNLINK.rate, frame_ms=DOWNLINK.frame_ms)
    if not settings.transcription_url:
        return speech, None
    heard = TranscriptionService(
        Service(
            settings.transcription_url,
            settings.transcription_key,
            settings.transcription_model,
        )
    )
    parts.closing.push_async_callback(heard.close)
    parts.dictation = Dictation(heard, threads)
    return speech, VoiceEars(heard, threads)


async def silent_since(database: Database, before: datetime) -> Sequence[DeviceId]:
    kinds = [kind.value for kind in SPOKEN]
    return [DeviceId(one) for one in await database.read(activation.stale, kinds, before)]


@dataclass(frozen=True, slots=True)
class SqlDirectory:
    database: Database
    clock: Clock

    async def device(self, device_id: DeviceId) -> Device | None:
        return await self.database.read(people.device, device_id)

    async def learn(self, device_id: DeviceId, facts: Mapping[str, Any]) -> None:
        await self.database.write(activation.learn, device_id, facts, self.clock.now())


@dataclass(frozen=True, slots=True)
class OtaKeys:
    access: Access
    database: Database
    clock: Clock

    async def issue(self, device: Device) -> str:
        made = await self.access.issue(
            TokenKind.DEVICE, user_id=device.user_id, device_id=device.id, name=TOKEN_NAME
        )
        now = self.clock.now()
        await self.database.write(activation.end_older_tokens, device.id, TOKENS_KEPT, now)
        return made.text

    def promise(self) -> tuple[Promise, str]:
        token_id, secret = new_token_id(self.clock.now()), new_secret()
        return Promise(token_id, hashed(secret)), f"{token_id}.{secret}"
