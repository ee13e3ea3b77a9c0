/** Close a socket that nobody listens to any more. One that is not open yet is closed as soon as it is: browsers complain about those that never were. */
export function closeSocket(socket: WebSocket | null): void {
  if (!socket) return;
  socket.onmessage = null;
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}
