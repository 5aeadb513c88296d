/**
 * Serves the built app in a folder, by the framework alone.
 * It sends its port to its parent.
 */
import { createServer } from "node:http";
import next from "next";

const app = next({ dev: false, dir: process.argv[2] ?? "." });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => void handle(request, response)).listen(
  0,
  "127.0.0.1",
  () => {
    const address = server.address();
    if (typeof address === "object") process.send?.(address?.port);
  },
);
process.on("disconnect", () => process.exit());
