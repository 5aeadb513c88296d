/** A way in to the service, whichever protocol it speaks. */
export interface Listener {
  /** Where it listens, with the port that was chosen for 0. */
  address: string;
  /** Takes nothing new, answers what is in flight, and resolves when that is done. */
  close(): Promise<void>;
}
