import { formatNumber } from "@/lib/limiter/text";
import type { LimitStatus, NodeStatus } from "@/lib/observe/overview";
import { outageTexts } from "./outage-words";

interface StoresProps {
  nodes: readonly NodeStatus[];
  limits: readonly LimitStatus[];
}

const storeNames = { database: "In the database", memory: "In each node’s memory", redis: "Redis" } as const;

/** The nodes' database and limiter store, with their status at the last heartbeat. */
export function Stores({ nodes, limits }: StoresProps) {
  const reports = nodes.flatMap(({ name, report, isSilent }) =>
    report && !isSilent ? [{ name, ...report }] : [],
  );
  const [first] = reports;
  if (!first) return <p className="text-quiet">No node has said anything in the last minute.</p>;
  const faults = reports.flatMap(({ name, limiterStore: { fault } }) => (fault ? [{ name, fault }] : []));
  const { kind } = first.limiterStore;
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)] [&>dd+dt]:max-sm:mt-4">
      <dt className="text-quiet">Database</dt>
      <dd>
        <p>
          {first.database.kind}, {reachedText(reports.length, reports.length)}
        </p>
        <Pool reports={reports} />
      </dd>
      <dt className="mt-4 text-quiet max-sm:mt-0">Limiter states</dt>
      <dd className="sm:mt-4">
        <p>
          {storeNames[kind]}
          {kind === "redis" && `, ${reachedText(reports.length - faults.length, reports.length)}`}
        </p>
        {faults.map(({ name, fault }) => (
          <p key={name} className="font-medium text-wrong">
            <bdi>{name}</bdi>: {fault}
          </p>
        ))}
        {kind === "database" && (
          <p className="mt-1 text-sm text-quiet">Each is saved with what it has decided, or neither is.</p>
        )}
        {kind === "memory" && (
          <p className="mt-1 text-sm text-quiet">Always there, and forgotten when the node ends.</p>
        )}
        {kind === "redis" && (
          <div className="mt-1 text-sm text-quiet">
            <p>When it is out of reach:</p>
            {outageTexts(limits.flatMap(({ policy }) => policy ?? [])).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        )}
      </dd>
    </dl>
  );
}

function Pool({ reports }: { reports: readonly { database: { pool: PoolFigures | null } }[] }) {
  const pools = reports.flatMap(({ database }) => database.pool ?? []);
  if (pools.length === 0) return <p className="mt-1 text-sm text-quiet">One connection to one file.</p>;
  const sum = (what: keyof PoolFigures) => pools.reduce((total, pool) => total + pool[what], 0);
  return (
    <p className="mt-1 text-sm text-quiet">
      {formatNumber(sum("size"))} {sum("size") === 1 ? "connection" : "connections"},{" "}
      {formatNumber(sum("busy"))} in use;{" "}
      {sum("waiting") === 0 ? "no request waits for one" : `${formatNumber(sum("waiting"))} wait for one`}.
    </p>
  );
}

interface PoolFigures {
  size: number;
  busy: number;
  waiting: number;
}

function reachedText(count: number, all: number): string {
  if (all === 1) return count === 1 ? "reached" : "out of reach";
  if (count < all) return `reached by ${formatNumber(count)} of ${formatNumber(all)} nodes`;
  return all === 2 ? "reached by both nodes" : `reached by all ${formatNumber(all)} nodes`;
}
