import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startHttp } from "../../testing/http-service.ts";
import { bodiesOf, connectRaw, wireRequest } from "../../testing/raw-http.ts";

const policies = { slow: { algorithm: "fixed-window", limit: 1, windowMs: 500_000 } };

test("answers waiting requests at once when it closes, and ends idle connections without a reset", async () => {
  const service = await startHttp({ policies });
  await service.post("/v1/consume", {});
  const wait = wireRequest("/v1/wait", '{"id": "waits", "maxWaitMs": 600000}');
  const waiting = await connectRaw(service.port, wireRequest("/v1/peek", '{"id": "first"}') + wait);
  await waiting.until(/"first"/);
  const idle = await connectRaw(service.port, wireRequest("/v1/peek", "{}"));
  await idle.until(/"allowed"/);
  const unused = await connectRaw(service.port);
  const faults: unknown[] = [];
  for (const { socket } of [waiting, idle, unused]) socket.on("error", (error) => faults.push(error));

  const closed = service.close();
  expect(bodiesOf(await waiting.closed())).toMatchObject([{ id: "first" }, { id: "waits", allowed: false }]);
  await Promise.all([idle.closed(), unused.closed(), closed]);
  expect(faults).toEqual([]);
});

test("answers a request on an idle connection while it closes, with Connection: close", async () => {
  const service = await startHttp({ policies });
  const connection = await connectRaw(service.port, wireRequest("/v1/peek", '{"id": 1}'));
  await connection.until(/"id":1/);
  const closed = service.close();
  connection.socket.write(wireRequest("/v1/peek", '{"id": 2}'));
  const received = await connection.closed();
  expect(bodiesOf(received)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(received).toMatch(/Connection: close[\s\S]*"id":2/);
  await closed;
});

test("answers a wait on an idle connection at once while it closes", async () => {
  const service = await startHttp({ policies });
  await service.post("/v1/consume", {});
  const connection = await connectRaw(service.port, wireRequest("/v1/peek", '{"id": 1}'));
  await connection.until(/"id":1/);
  const closed = service.close();
  connection.socket.write(wireRequest("/v1/wait", '{"id": 2, "maxWaitMs": 600000}'));
  expect(bodiesOf(await connection.closed())).toMatchObject([{ id: 1 }, { id: 2, allowed: false }]);
  await closed;
});

test("delivers all answers to a client that keeps sending while it closes, without a reset", async () => {
  const service = await startHttp({
    policies: { demo: { algorithm: "fixed-window", limit: 1e9, windowMs: 3_600_000 } },
  });
  const clients = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { socket, until, closed } = await connectRaw(service.port);
      const faults: unknown[] = [];
      socket.on("error", (error) => faults.push(error));
      const few = wireRequest("/v1/consume", "{}").repeat(20);
      const sending = setInterval(() => socket.writable && socket.write(few), 1);
      socket.once("end", () => clearInterval(sending));
      await until(/allowed/);
      return { closed, faults };
    }),
  );
  await service.close();
  const received = await Promise.all(clients.map(({ closed }) => closed()));
  expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
  expect(received.flatMap(bodiesOf)).toHaveLength(service.allowed());
});

test("takes no new connection when it closes, gives up unfinished requests, and may be closed twice", async () => {
  const service = await startHttp({ policies });
  const halfway = await connectRaw(service.port, wireRequest("/v1/consume", "{}").slice(0, -1));
  await Promise.all([service.close(), service.close(), halfway.closed()]);
  const late = connect(service.port, "127.0.0.1");
  const [error] = await once(late, "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

test("answers all that it has counted when it closes under load", async () => {
  const service = await startHttp({
    policies: { demo: { algorithm: "fixed-window", limit: 1e9, windowMs: 3_600_000 } },
  });
  let answered = 0;
  const clients = Array.from({ length: 20 }, async (_, client) => {
    const connection = await connectRaw(service.port);
    let sent = 0;
    for (;;) {
      sent += 1;
      const id = `${client}-${sent}`;
      connection.socket.write(wireRequest("/v1/consume", JSON.stringify({ id })));
      try {
        await connection.until(new RegExp(`"id":"${id}"`));
      } catch {
        return;
      }
      answered += 1;
    }
  });
  while (service.allowed() < 500) await new Promise(setImmediate);
  await service.close();
  await Promise.all(clients);
  expect(answered).toBe(service.allowed());
});
