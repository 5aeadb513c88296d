/** Refusing requests to switch to another protocol, such as WebSocket. */
import type { Server } from "node:http";

const refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Answers each upgrade with a 400 and closes its connection, also when the client does not close its end. */
export function refuseUpgrades(server: Server): void {
  server.on("upgrade", (_, socket) => {
    socket.on("error", () => {}); // the client has reset the connection; Node.js has removed its own listener
    socket.end(refusal, () => socket.destroy());
  });
}
