/**
 * What stands before the body of a message, and goes back with the answer as it came.
 *
 * REQ and those who do as it does put an empty frame before the body, and proxies put addresses before that; a DEALER
 * need send neither.
 */

/** Whether these frames are all that may stand before one body: nothing, or anything that ends with the first empty one. */
export function isEnvelope(frames: readonly Buffer[]): boolean {
  const last = frames.length - 1;
  // Nearly always one empty frame.
  if (last === 0) return frames[0]?.length === 0;
  return last < 0 || delimiterIn(frames) === last;
}

/** As much of it as can stand before an answer, where the rest makes no sense. */
export function envelopeIn(frames: readonly Buffer[]): readonly Buffer[] {
  return frames.slice(0, delimiterIn(frames) + 1);
}

function delimiterIn(frames: readonly Buffer[]): number {
  return frames.findIndex((frame) => frame.length === 0);
}
