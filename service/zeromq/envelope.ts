/**
 * A message as a ROUTER gets it: whom it came from, what must stand before the answer, and the body.
 *
 * REQ and those who do as it does put an empty frame before the body, and proxies put their addresses before that; a
 * DEALER need not. Everything up to the empty frame goes back as it came; without one, that is the sender's address alone.
 */

/**
 * The body, with `frames` cut to what stands before it; undefined when there is not exactly one body, and then a fault
 * may be told there instead.
 */
export function takeBody(frames: Buffer[]): Buffer | undefined {
  // Nearly always: REQ, or a DEALER that does as it does.
  if (frames.length === 3 && frames[1]?.length === 0) return frames.pop();
  const last = frames.length - 1;
  if (last === 1) return frames.pop();
  const delimiter = frames.findIndex((frame, index) => index > 0 && frame.length === 0);
  if (delimiter > 0 && delimiter === last - 1) return frames.pop();
  frames.length = delimiter > 0 ? delimiter + 1 : Math.min(frames.length, 1);
  return undefined;
}
