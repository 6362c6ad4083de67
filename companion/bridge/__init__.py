"""The bridge: follows the journal's files and publishes each table over MQTT, for Home Assistant and a club's hub.

A process of its own beside the box. It only reads the journal, and shares no lock with the box.
"""
