/**
 * A process between services.
 * It forwards the messages of its targets after a delay that its parent sets. On `{targets}` it answers with an
 * address for each; on `{delayMs}` it delays all later messages by that time.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";

let delayMs = 0;

process.on("message", (command: { targets: number[] } | { delayMs: number }) => {
  if ("delayMs" in command) delayMs = command.delayMs;
  else void Promise.all(command.targets.map(listenFor)).then((ports) => process.send?.(ports));
});
process.on("disconnect", () => process.exit());

async function listenFor(target: number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.setNoDelay();
      // The service connects again when the other one listens.
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    near.pipe(far);
    // Timers of one length end in the order in which they began. The delay changes only when nothing is on its way.
    far.on("data", (bytes) => {
      if (delayMs === 0) near.write(bytes);
      else setTimeout(() => void (near.destroyed || near.write(bytes)), delayMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port");
  return address.port;
}
