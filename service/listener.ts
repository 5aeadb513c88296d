/** A server of the service, for one protocol. */
export interface Listener {
  /** Where it listens, with the port that was chosen for 0. */
  address: string;
  /** Accepts no more requests, and resolves when those in flight are answered. */
  close(): Promise<void>;
}
