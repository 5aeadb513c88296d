export class TooLate extends Error {
  override name = "TooLate";
}

/**
 * Settles as `work` does, or rejects with `TooLate` after `timeoutMs`.
 * The work itself continues.
 */
export async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooLate(`not done within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
