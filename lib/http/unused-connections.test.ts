import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { endUnusedConnections } from "./unused-connections.ts";

test("a closing server waits for a request that began, and not for one that never does", async () => {
  endUnusedConnections();
  const server = createServer((_request, response) => response.end("answered"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;

  const silent = connect(port, "127.0.0.1");
  const speaking = connect(port, "127.0.0.1");
  await Promise.all([once(silent, "connect"), once(speaking, "connect")]);
  // A request that is answered tells that the server has seen the connections before it.
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("answered");
  speaking.write("GET / HTTP/1.1\r\nHost: blog.example\r\n");
  const closed = new Promise((resolve) => server.close(resolve));
  await once(silent, "close");
  speaking.write("Connection: close\r\n\r\n");
  const [answer] = await once(speaking.setEncoding("utf8"), "data");
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  await closed;
});
