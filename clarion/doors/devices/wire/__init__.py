"""How devices are connected: WebSocket, MQTT, UDP, their packets and their pace."""
