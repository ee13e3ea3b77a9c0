"""Connections: admission, HTTP and WebSocket protocols, the sockets of pages."""
