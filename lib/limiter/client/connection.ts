/**
 * The connection to the service, as long as there is one.
 *
 * libzmq reconnects by itself after an outage of the service, and detects a dead connection by heartbeats. Messages
 * that it held when the connection broke may be lost. It gives up for good after some failures (a refused token, a peer
 * without ZeroMQ): then only a new socket helps.
 */
import type { CurveOptions, Dealer, HandshakeFault, Zeromq } from "./zeromq.ts";

type ConnectionSettings = {
  zeromq: Zeromq;
  address: string;
  keys: Partial<CurveOptions>;
  /**
   * Called each time there is a connection.
   * Messages sent before may not have arrived.
   */
  onConnected: () => void;
  onMessage: (body: Uint8Array) => void;
};

const options = {
  // No message is sent without a connection, and the callers bound the requests in flight: no queue here may drop
  // messages.
  sendHighWaterMark: 0,
  // Otherwise a send may be delayed, and until it ends there can be no second one.
  sendTimeout: 0,
  receiveHighWaterMark: 0,
  linger: 0,
  reconnectInterval: 50,
  handshakeInterval: 1_000,
  heartbeatInterval: 1_000,
  heartbeatTimeout: 2_000,
};

const replacedAfterMs = 1_500;

export class Connection {
  readonly #settings: ConnectionSettings;
  #socket: Dealer;
  #connected = false;
  #outgoing: string[] = [];
  /** Since when there is this socket, or since when it is not connected. */
  #waitingSince = 0;
  #fault: HandshakeFault | undefined;
  #closed = false;

  /** @throws RangeError when libzmq cannot read the address */
  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
    this.#socket = this.#open();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The likely reason for a missing answer, and its remedy. */
  diagnosis(): string {
    if (this.#connected) return "It is connected, but overloaded or stopped";
    if (this.#fault === undefined)
      return "Nothing answers there: start it (npm run limiter), or correct `address`";
    return "It refuses this client: `token` must be its LIMITER_TOKEN";
  }

  /** Messages of one turn are sent together, at a lower cost for each. */
  send(body: string): void {
    if (this.#outgoing.push(body) === 1) process.nextTick(flush, this);
  }

  flush(): void {
    const bodies = this.#outgoing;
    this.#outgoing = [];
    if (this.#connected) for (const body of bodies) this.#socket.send(["", body]).catch(ignore);
  }

  /** To be called while there is no connection and a request waits for one. */
  renewIfStuck(): void {
    if (performance.now() < this.#waitingSince + replacedAfterMs) return;
    this.#socket.close();
    this.#socket = this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#connected = false;
    this.#socket.close();
  }

  #open(): Dealer {
    const { zeromq, address, keys, onConnected } = this.#settings;
    const socket = new zeromq.Dealer({ ...options, ...keys });
    const isCurrent = () => socket === this.#socket && !this.#closed;
    socket.events.on("handshake", () => {
      if (!isCurrent()) return;
      this.#connected = true;
      this.#fault = undefined;
      onConnected();
    });
    socket.events.on("disconnect", () => {
      if (isCurrent()) this.#lost();
    });
    for (const fault of [
      "handshake:error:auth",
      "handshake:error:protocol",
      "handshake:error:other",
    ] as const)
      socket.events.on(fault, () => {
        if (isCurrent()) this.#fault = fault;
      });
    try {
      socket.connect(address);
    } catch (cause) {
      socket.close();
      throw new RangeError(`limiterClient: address must be like tcp://127.0.0.1:7777, but is ${address}`, {
        cause,
      });
    }
    this.#lost();
    void this.#receive(socket, isCurrent);
    return socket;
  }

  #lost(): void {
    this.#connected = false;
    this.#waitingSince = performance.now();
  }

  async #receive(socket: Dealer, isCurrent: () => boolean): Promise<void> {
    try {
      for (;;) {
        const frames = await socket.receive();
        const body = frames.at(-1);
        if (body) this.#settings.onMessage(body);
      }
    } catch {
      // Closed, or no further message will arrive.
      if (isCurrent()) this.#lost();
    }
  }
}

function flush(connection: Connection): void {
  connection.flush();
}

/** Messages that could not be sent are sent again when no answer arrives. */
function ignore(): void {}
