/**
 * Peers in the configuration file.
 * Where this service publishes, and where the others do.
 */
import { z } from "zod";
import { type ListenAddress, zeromqAddress } from "../addresses.ts";

const peersMaximum = 100;

const publish = address(zeromqAddress, "must be an address such as tcp://127.0.0.1:7779");

/**
 * `peers` in the file.
 * A service may be among its own peers, so that all can have one list: it does not receive from itself.
 */
export const peersSchema = z.strictObject(
  {
    publish,
    subscribe: z
      .array(
        address(connectAddress, "must be an address such as tcp://127.0.0.1:7789 or tcp://limiter-2:7779"),
        "must be a list of the addresses that the others publish on",
      )
      .min(1, "must name one other service at least")
      .max(peersMaximum, `must name at most ${peersMaximum} other services`),
  },
  'must be an object such as {"publish": "tcp://127.0.0.1:7779", "subscribe": ["tcp://127.0.0.1:7789"]}',
);

export type PeersSettings = z.infer<typeof peersSchema>;

/** Why no other store has peers. */
export const peersStoreFault =
  'is only for "store": "memory"; services that use one Redis, or one SQLite file, share every count exactly as it is';

/**
 * The first of the addresses that other machines can reach.
 * It requires a token. Undefined when there is none.
 */
export function addressBeyondLoopback({ publish, subscribe }: PeersSettings): string | undefined {
  return [publish, ...subscribe].find(({ isLoopback }) => !isLoopback)?.address;
}

/** To connect to: a host's name is as good as its address, and a port of 0 is none. */
function connectAddress(text: string): ListenAddress | undefined {
  const [, host = "", port = ""] = /^tcp:\/\/([^:[\]*\s]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text) ?? [];
  const isName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host) && !/^[\d.]+$/.test(host);
  if (Number(port) === 0 || Number(port) > 65_535) return undefined;
  if (isName && host !== "localhost") return { address: text, isLoopback: false };
  return zeromqAddress(text);
}

function address(parse: (text: string) => ListenAddress | undefined, fault: string) {
  return z.string(fault).transform((text, context) => {
    const parsed = parse(text);
    if (parsed) return parsed;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  });
}
