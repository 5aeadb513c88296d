/** Which messages of each service have come, by their numbers. */

/**
 * The maximum number of senders remembered.
 * A restarted service is another sender. Beyond the maximum the one that has been silent longest is forgotten.
 */
const sendersMaximum = 1_000;

export interface Senders {
  /**
   * Notes a message.
   * `isNew` is false for one that has come before; `missed` is how many before it have not come. The first from a
   * service is not a gap: the service may have been running for long.
   */
  note(from: string, sequence: number): { isNew: boolean; missed: number };
}

export function noteSenders(): Senders {
  const last = new Map<string, number>();
  return {
    note(from, sequence) {
      const before = last.get(from) ?? sequence - 1;
      if (sequence <= before) return { isNew: false, missed: 0 };
      last.delete(from);
      last.set(from, sequence);
      const [silentLongest] = last.keys();
      if (last.size > sendersMaximum && silentLongest !== undefined) last.delete(silentLongest);
      return { isNew: true, missed: sequence - before - 1 };
    },
  };
}
