/** A server's time, estimated between its answers. */
export class ServerClock {
  #aheadMs: number | undefined;

  /**
   * The server's time in milliseconds; undefined before the first answer.
   * It has passed when the answer arrives, so this is never ahead of the server, unless the server's clock is set back
   * or runs slower than this machine's.
   */
  now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : performance.now() + this.#aheadMs;
  }

  /** Takes the time that an answer brings, as soon as it arrives. */
  answered(serverMs: number): void {
    this.#aheadMs = serverMs - performance.now();
  }
}
