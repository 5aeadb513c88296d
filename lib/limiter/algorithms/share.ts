/**
 * A limit at a share of it, and at least one request: less would let no request through.
 *
 * @throws RangeError when the share is not above 0 and at most 1
 */
export function shareOfLimit(limit: number, share: number): number {
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`share must be above 0 and at most 1, but is ${share}`);
  }
  return Math.min(limit, Math.max(1, limit * share));
}
