"""Several processes on one database: supervisor, synchronisation, shared limits.

Lower layers hold the rest: `souk.server.bus` (messages between processes),
`souk.server.tables.peer_processes` (other processes and their viewers),
`souk.server.tables.bot_owner` (the process that runs a table's bots),
`souk.server.tables.sync_from_database` and `souk.server.net.socket_handover`.
"""
