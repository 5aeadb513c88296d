/** The parts of the zeromq package that the client needs. */

export type HandshakeFault = "handshake:error:auth" | "handshake:error:protocol" | "handshake:error:other";

export type Dealer = {
  connect(address: string): void;
  send(frames: string[]): Promise<void>;
  receive(): Promise<Uint8Array[]>;
  close(): void;
  readonly events: {
    on(type: "handshake" | "disconnect" | HandshakeFault, listener: () => void): unknown;
  };
};

/** Keys, as ZeroMQ writes them. */
export type CurveOptions = { curveServerKey: string; curvePublicKey: string; curveSecretKey: string };

type DealerOptions = {
  linger: number;
  sendHighWaterMark: number;
  sendTimeout: number;
  receiveHighWaterMark: number;
  reconnectInterval: number;
  handshakeInterval: number;
  heartbeatInterval: number;
  heartbeatTimeout: number;
} & Partial<CurveOptions>;

/** `import * as zeromq from "zeromq"` (6 or newer) is such a package. */
export type Zeromq = { Dealer: new (options: DealerOptions) => Dealer };
