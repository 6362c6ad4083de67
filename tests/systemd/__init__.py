"""What systemd makes of the service, and what installing leaves on a machine."""
