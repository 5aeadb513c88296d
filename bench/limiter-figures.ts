/** The figures of `limiter.bench.ts`, beside their targets. */
import { run as compare } from "./limiter.bench.ts";
import type { Figure } from "./table.ts";

export const title = "One decision in memory, every request allowed, the same keys on both sides";

export async function run(): Promise<Figure[]> {
  const rows = await compare();
  const ours = rows.filter(({ subject }) => subject.startsWith("weir "));
  return ours.flatMap(({ subject, keys, nanoseconds, timesPeer }): Figure[] => {
    const name = `${subject.replace("weir ", "")}, ${keys.toLocaleString("en")} ${keys === 1 ? "key" : "keys"}`;
    return [
      { name, value: nanoseconds / 1_000, unit: "µs", target: { below: 0.5 } },
      { name: `${name}: times as fast as rate-limiter-flexible`, value: timesPeer, target: { atLeast: 1 } },
    ];
  });
}
