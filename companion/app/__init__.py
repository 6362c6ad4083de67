"""The application: event loop, inputs, outputs and the ports they use."""
