import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { jsonReply, send } from "./reply.ts";

test.each(["plain", "Latin-1 é ÿ", "beyond it: ۵ ✓ 😀"])(
  "sends the text %j as UTF-8, with its length",
  async (text) => {
    const body = JSON.stringify({ text });
    const server = createServer((_, response) => send(response, jsonReply(body, { status: 201 })));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("An HTTP server has a port");
      const response = await fetch(`http://127.0.0.1:${address.port}`);
      expect(response.status).toBe(201);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
      expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(body);
    } finally {
      server.close();
    }
  },
);
