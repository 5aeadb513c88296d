/** Counts of requests in thousandths, so that costs below one are exact. */
import { requirePositive } from "../settings.ts";
import { costInUnits } from "./meter.ts";

export const UNITS_PER_REQUEST = 1000;

/** @throws RangeError when the cost is not positive */
export function countedUnits(cost: number): number {
  return cost === 1 ? UNITS_PER_REQUEST : costInUnits(requirePositive("cost", cost), UNITS_PER_REQUEST);
}

/** The whole requests that a count leaves of its limit. */
export function remainingRequests(limitUnits: number, used: number): number {
  return Math.max(0, Math.floor((limitUnits - used) / UNITS_PER_REQUEST));
}
