/** A server of the service, for one protocol. */
export interface Listener {
  /** Where it listens, with the port that was chosen for 0. */
  address: string;
  /** Ends it: resolves when requests in flight and on their way are answered. */
  close(): Promise<void>;
}
