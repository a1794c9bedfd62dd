"""The devices' door: the xiaozhi protocol over WebSocket or MQTT, wake-up, speech, presence."""
