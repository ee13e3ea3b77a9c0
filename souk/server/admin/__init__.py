"""Host tools, housekeeping, data export and store migration."""
