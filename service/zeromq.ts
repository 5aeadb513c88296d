/** The service over ZeroMQ: what a ROUTER does, for plain REQ clients of any language. */
import type { Listener } from "./listener.ts";
import type { RepeatedRequests } from "./repeated-requests.ts";
import { createDesk } from "./zeromq/desk.ts";
import { openEncrypted } from "./zeromq/encrypted.ts";
import { openPlain } from "./zeromq/plain.ts";

export interface ZeromqSettings {
  /** Only who has it may ask, encrypted (CURVE). Without one, everybody who reaches the address. */
  token?: string | undefined;
  /** Is told what nobody expected. */
  report?: (error: unknown) => void;
}

/** What has been taken is decided sooner, unless a store hangs. */
const answerWithinMs = 5_000;

/** Listens on an address of ZeroMQ's, `tcp://127.0.0.1:7777`. Rejects when it cannot. */
export async function listenOnZeromq(
  address: string,
  engine: RepeatedRequests,
  { token, report = console.error }: ZeromqSettings = {},
): Promise<Listener> {
  const desk = createDesk(engine, report);
  const door =
    token === undefined
      ? await openPlain(address, { ...desk, report })
      : await openEncrypted(address, { token, take: desk.take, report });

  async function close(): Promise<void> {
    await door.drain();
    await desk.close(answerWithinMs);
    await door.close();
  }
  let closed: Promise<void> | undefined;
  return {
    address: door.address,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
