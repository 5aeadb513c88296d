/** The CPU time of a cluster's parts, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";
import type { Cluster } from "../../scripts/cluster/cluster.ts";

export const parts = ["nodes", "nginx", "PostgreSQL", "Redis"] as const;
export type Part = (typeof parts)[number];
export type ProcessorSeconds = Record<Part, number>;

/** Linux counts in hundredths of a second. */
const ticksPerSecond = 100;
const names: Record<string, Part> = { nginx: "nginx", postgres: "PostgreSQL", "redis-server": "Redis" };

/**
 * CPU seconds of each part's processes so far.
 * It counts all processes that this process has started.
 */
export function processorSeconds({ nodes }: Pick<Cluster, "nodes">): ProcessorSeconds {
  const seconds: ProcessorSeconds = { nodes: 0, nginx: 0, PostgreSQL: 0, Redis: 0 };
  const all = processes();
  const isOurs = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && pid > 1 && isOurs(all.get(pid)?.parent));
  for (const [pid, { name, ticks }] of all) {
    const part = nodes.some((node) => node.pid === pid) ? "nodes" : names[name];
    if (part && isOurs(pid)) seconds[part] += ticks / ticksPerSecond;
  }
  return seconds;
}

/** The CPU time during `work`, by part, and the result of `work`. */
export async function measured<T>(cluster: Pick<Cluster, "nodes">, work: () => Promise<T>) {
  const before = processorSeconds(cluster);
  const result = await work();
  const after = processorSeconds(cluster);
  const taken: ProcessorSeconds = { ...after };
  for (const part of parts) taken[part] = after[part] - before[part];
  return { result, taken };
}

function processes() {
  const all = new Map<number, { name: string; parent: number; ticks: number }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name may have spaces in it, and parentheses.
      const [name, rest] = [
        stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
        stat.lastIndexOf(")") + 2,
      ];
      const fields = stat.slice(rest).split(" ");
      const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
      all.set(Number(pid), { name, parent: parent ?? 0, ticks: (user ?? 0) + (system ?? 0) });
    } catch {
      // It has ended meanwhile.
    }
  }
  return all;
}
