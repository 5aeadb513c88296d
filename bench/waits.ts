/** The waiting times of requests while other work is done. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "./table.ts";

/** How often a request comes. */
const everyMs = 5;

interface Waits {
  /**
   * The requests' waits in milliseconds, in ascending order.
   * Each from when the request was due to its answer.
   */
  sorted: number[];
  /** How long the work took, in seconds. */
  seconds: number;
}

/** The shortest and longest time for which idle requests are measured. */
const [idleFromMs, idleToMs] = [5_000, 60_000];

/**
 * The waits during `work` compared with those while nothing is done.
 * Both for about as long: the longest of more waits is longer.
 */
export async function waitsAgainstIdle(
  name: string,
  probe: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<Figure[]> {
  const busy = await waits(probe, work);
  const idleMs = Math.min(idleToMs, Math.max(idleFromMs, busy.seconds * 1_000));
  return against(name, busy, await waits(probe, () => sleep(idleMs)));
}

/** How long sequential requests wait while `work` runs. */
async function waits(probe: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Waits> {
  let isOver = false;
  const all: number[] = [];
  const probing = (async () => {
    for (let due = performance.now(); !isOver; due = Math.max(due + everyMs, performance.now())) {
      await sleep(Math.max(0, due - performance.now()));
      due = Math.min(due, performance.now()); // a timer may be early
      await probe();
      all.push(performance.now() - due);
    }
  })();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  isOver = true;
  await probing;
  return { sorted: all.toSorted((a, b) => a - b), seconds };
}

function against(name: string, busy: Waits, idle: Waits): Figure[] {
  const at = ({ sorted }: Waits, share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return [
    { name: `${name}: median`, value: at(busy, 0.5) / at(idle, 0.5) },
    { name: `${name}: of 100, the longest but one`, value: at(busy, 0.99) / at(idle, 0.99) },
    { name: `${name}: longest`, value: at(busy, 1) / at(idle, 1) },
    { name: "  … which took", value: at(busy, 1) / 1_000, unit: "s" },
    { name: "  … while nothing was removed", value: at(idle, 1) / 1_000, unit: "s" },
    { name: "  … of the whole work", value: busy.seconds, unit: "s" },
  ];
}
