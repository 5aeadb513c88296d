/**
 * One connection to PostgreSQL: a client of postgres.js for a single socket, which is thrown away with it. Left to itself,
 * postgres.js connects again and goes on with what was asked meanwhile; the rest of a transaction would then run
 * without its beginning, and outside of any.
 *
 * A query that is not answered in time ends the connection: what a server that hangs makes of it nobody knows, and whoever
 * asked must not wait for ever.
 */
import { once } from "node:events";
import { Socket } from "node:net";
import postgres from "postgres";
import { isAnswer, namedUnavailable, PostgresUnavailableError } from "./errors.ts";

export interface Deadlines {
  /** How long it may take to connect, and how long until a query is answered. */
  connectMs: number;
  queryMs: number;
}

type Single = string | number | boolean | null;
/** What goes into a statement. */
export type Value = Single | readonly Single[];

export type Rows = unknown[][] & { command: string; count: number };

export interface Connection {
  /** Whether queries can be asked; once false, for good. */
  isUsable(): boolean;
  /**
   * Runs one statement, prepared when it takes values or `isPrepared` says so; its rows are arrays. What is asked while another
   * is under way is sent at once and runs after it.
   */
  query(text: string, values?: readonly Value[], isPrepared?: boolean): Promise<Rows>;
  /** How long further queries may take until they are answered; as long as usual when undefined. */
  setPatience(ms: number | undefined): void;
  /** Ends it at once; what is under way rejects with `error`. */
  lose(error: Error): void;
  /** Says good-bye to the server, and ends it. */
  end(): Promise<void>;
}

/** What the server itself bounds, for nodes that hang in the middle of something. */
const serverBounds = {
  lock_timeout: 3_000,
  statement_timeout: 4_000,
  idle_in_transaction_session_timeout: 5_000,
};

const asNumber = { serialize: String, parse: Number };

const clientOptions = {
  max: 1,
  // Only connections that this module ends come to an end.
  max_lifetime: null,
  fetch_types: false,
  onnotice: () => {},
  types: {
    bigint: { to: 20, from: [20], ...asNumber },
    numeric: { to: 1700, from: [1700], ...asNumber },
    texts: { to: 1009, from: [1009], serialize: arrayText, parse: String },
    numbers: { to: 1016, from: [1016], serialize: arrayText, parse: String },
  },
};

/** An array as PostgreSQL reads it. */
function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => `"${storableText(String(value)).replace(/["\\]/g, "\\$&")}"`).join()}}`;
}

/** A client that is never connected, for what wants one to write statements. */
export function unconnectedClient() {
  return postgres({ max: 1 });
}

export function openConnection(url: string, { connectMs, queryMs }: Deadlines): Connection {
  const asked = new Set<(error: Error) => void>();
  let lost: Error | undefined;
  let socket: Socket | undefined;
  let patienceMs = queryMs;

  function lose(error: Error): void {
    if (lost) return;
    lost = error;
    socket?.destroy();
    for (const reject of asked) reject(error);
    asked.clear();
  }

  async function connectOnce(address: Address): Promise<Socket> {
    if (socket) lose(closed());
    if (lost) throw lost;
    try {
      socket = await connectTo(address, connectMs);
    } catch (error) {
      lose(unavailable(error));
      throw error;
    }
    return socket;
  }

  const client = postgres(url, {
    ...clientOptions,
    ...{ socket: connectOnce },
    connect_timeout: connectMs / 1_000,
    connection: { application_name: "weir", ...serverBounds },
    onclose: () => lose(closed()),
  });

  function query(text: string, values: readonly Value[] = [], isPrepared = true): Promise<Rows> {
    return new Promise((resolve, reject) => {
      if (lost) return reject(lost);
      const patience = setTimeout(
        () => lose(new PostgresUnavailableError(`PostgreSQL did not answer within ${patienceMs} ms`)),
        patienceMs,
      );
      const fail = (error: unknown) => {
        clearTimeout(patience);
        asked.delete(fail);
        reject(namedUnavailable(error));
        if (!isAnswer(error)) lose(closed());
      };
      asked.add(fail);
      const options = isPrepared ? { prepare: true, simple: false } : { simple: true };
      client
        .unsafe(text, values.map(storable), options)
        .values()
        .then((rows) => {
          clearTimeout(patience);
          asked.delete(fail);
          resolve(rows);
        }, fail);
    });
  }

  return {
    isUsable: () => lost === undefined,
    query,
    setPatience: (ms = queryMs) => {
      patienceMs = ms;
    },
    lose,
    async end() {
      await client.end({ timeout: connectMs / 1_000 });
      lose(new PostgresUnavailableError("The connection to PostgreSQL was ended"));
    },
  };
}

interface Address {
  host: string[];
  port: number[];
  path: string | false;
}

/** Connects to the first of the hosts that answers, each within `timeoutMs`. */
async function connectTo({ host, port, path }: Address, timeoutMs: number): Promise<Socket> {
  const places = path ? [{ path }] : host.map((name, index) => ({ host: name, port: port[index] ?? 5432 }));
  let failure: unknown;
  for (const place of places) {
    const socket = new Socket();
    // Where TLS is asked for, postgres.js reads the host's name here.
    if ("host" in place) Object.assign(socket, { host: place.host });
    socket.setNoDelay(true);
    socket.connect(place);
    try {
      await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
      return socket;
    } catch (error) {
      socket.destroy();
      failure = error;
    }
  }
  throw failure;
}

function closed(): Error {
  return new PostgresUnavailableError("The connection to PostgreSQL was closed");
}

/** A connection that could not be made: PostgreSQL is out of reach, whatever the reason is called. */
function unavailable(error: unknown): Error {
  return new PostgresUnavailableError(`PostgreSQL is out of reach: ${codeOf(error)}`, { cause: error });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.name;
}

function storable(value: Value): Value {
  return typeof value === "string" ? storableText(value) : value;
}

/** PostgreSQL keeps no U+0000: like half of a surrogate pair, it becomes the replacement character. */
export function storableText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
