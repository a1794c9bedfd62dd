"""Joins the ways to devices that sleep: a broker, a gateway, an MQTT endpoint of our own."""

from collections.abc import Callable
from typing import Any

from clarion.app.parts import Parts
from clarion.base.loop import Loop
from clarion.doors.devices import gateway, stock
from clarion.doors.devices.gateway import Gateway, GatewayAddress
from clarion.doors.devices.ports import Directory
from clarion.doors.devices.reception import Reception
from clarion.doors.devices.stock import StockEndpoint
from clarion.doors.devices.stock_wake import SoundShelf, StockDriver, sound_routes
from clarion.doors.devices.wake import Wakes
from clarion.reminders.ports import Facts
from clarion.voice.speech import Speech

MqttPart = Callable[[str, str, str, str], dict[str, Any]]


def add_ways(
    parts: Parts, reception: Reception, wakes: Wakes, facts: Facts, speech: Speech
) -> MqttPart | None:
    """Fills `wakes` with drivers; the answer is what devices are told about MQTT, if anything.

    The drivers are tried in this order: those that open a session come before those that only show.
    """
    settings = parts.settings
    told: MqttPart | None = None
    if settings.mqtt_url:
        add_broker(parts, reception, wakes, facts, reception.house.directory)
    if settings.gateway_url:
        told = add_gateway(parts, wakes)
    if settings.device_mqtt_port:
        told = add_endpoint(parts, reception, wakes, facts, speech)
    return told


def add_broker(
    parts: Parts, reception: Reception, wakes: Wakes, facts: Facts, directory: Directory
) -> None:
    # Paho is read only where there is a broker.
    from clarion.doors.devices.mqtt import Broker, BrokerAddress

    settings = parts.settings
    address = BrokerAddress(settings.mqtt_url, settings.mqtt_prefix)
    broker = Broker(
        address, facts, reception.presence, directory, parts.clock, arrived=wakes.arrived
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

    def told(hardware: str, client: str, _token: str, _host: str) -> dict[str, Any]:
        return gateway.mqtt_part(address, hardware, client)

    return told


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

    def told(hardware: str, client: str, token: str, asked_at: str) -> dict[str, Any]:
        name = settings.device_host or asked_at.partition(":")[0] or settings.host
        return stock.mqtt_part(f"{name}:{settings.device_mqtt_port}", hardware, client, token)

    return told
