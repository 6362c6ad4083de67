"""The application: event loop, controller, outputs and the ports they use."""
