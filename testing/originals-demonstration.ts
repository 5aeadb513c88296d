/**
 * The demonstration of the service over ZeroMQ that this one grew from: 5 per 0.8 s, a request every 0.1 s, by one client or
 * several.
 */
import { expect } from "vitest";

const limit = 5;
export const windowMs = 800;

export const demonstration = {
  policies: { demo: { algorithm: "fixed-window", limit, windowMs } },
  default: "demo",
  store: "memory",
};

/**
 * The answers to a single client: five times go, then sorry until the window ends, again and again. When its calls come late
 * there are fewer sorries, or none: then go follows on go. This holds on any machine.
 */
export function expectRegularPattern(words: readonly string[]): void {
  expect(words.map((word) => (word === "go" ? "G" : "S")).join("")).toMatch(/^(G{5,}S{1,3})*G*$/);
  expect(new Set(words)).toEqual(new Set(["go", "sorry"]));
}

/** So many may go in so long a time, with a window that begins with it. */
export function mostIn(elapsedMs: number): number {
  return limit * (1 + Math.floor(elapsedMs / windowMs));
}
