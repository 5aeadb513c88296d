/**
 * An HTTP server that answers every request with a fixed number of bytes.
 * It prints its port.
 */
import { createServer } from "node:http";

const body = "x".repeat(Number(process.argv[2] ?? 2));
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end(body));
}).listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.send?.(address?.port);
});
process.on("disconnect", () => process.exit());
