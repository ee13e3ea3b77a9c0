/**
 * Close an abandoned socket. One that is still connecting is closed once open, since browsers log
 * an error otherwise.
 */
export function closeSocket(socket: WebSocket | null): void {
  if (!socket) return;
  socket.onmessage = null;
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}
