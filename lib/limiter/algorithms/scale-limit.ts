/**
 * A limit times a share.
 * A share below 1 leaves at least one request: less would let no request through.
 *
 * @throws RangeError when the share is not finite and above 0
 */
export function scaleLimit(limit: number, share: number): number {
  if (!(share > 0 && Number.isFinite(share))) {
    throw new RangeError(`share must be finite and above 0, but is ${share}`);
  }
  return share >= 1 ? limit * share : Math.min(limit, Math.max(1, limit * share));
}
