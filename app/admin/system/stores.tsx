import { translator } from "@/lib/i18n";
import type { NodeReport } from "@/lib/observe/node-report";
import type { LimitStatus, NodeStatus } from "@/lib/observe/overview";
import { outageTexts } from "./outage-text";

interface StoresProps {
  nodes: readonly NodeStatus[];
  limits: readonly LimitStatus[];
}

/** The nodes' database and limiter store, with their status at the last heartbeat. */
export function Stores({ nodes, limits }: StoresProps) {
  const t = translator("adminSystem");
  const reports = nodes.flatMap(({ name, report, isSilent }) =>
    report && !isSilent ? [{ name, ...report }] : [],
  );
  const [first] = reports;
  if (!first) return <p className="text-quiet">{t("stores.none")}</p>;
  const faults = reports.flatMap(({ name, limiterStore: { fault } }) => (fault ? [{ name, fault }] : []));
  const { kind } = first.limiterStore;
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)] [&>dd+dt]:max-sm:mt-4">
      <dt className="text-quiet">{t("stores.database")}</dt>
      <dd>
        <p>{reachedText(first.database.kind, reports.length, reports.length)}</p>
        <Pool reports={reports} />
      </dd>
      <dt className="mt-4 text-quiet max-sm:mt-0">{t("stores.limiterStates")}</dt>
      <dd className="sm:mt-4">
        <p>
          {kind === "redis"
            ? reachedText(t("stores.kind.redis"), reports.length - faults.length, reports.length)
            : t(`stores.kind.${kind}`)}
        </p>
        {faults.map(({ name, fault }) => (
          <p key={name} className="font-medium text-wrong">
            {t.rich("stores.fault", { fault, name: () => <bdi>{name}</bdi> })}
          </p>
        ))}
        {kind === "database" && <p className="mt-1 text-sm text-quiet">{t("stores.inDatabase")}</p>}
        {kind === "memory" && <p className="mt-1 text-sm text-quiet">{t("stores.inMemory")}</p>}
        {kind === "redis" && (
          <div className="mt-1 text-sm text-quiet">
            <p>{t("stores.whenOut")}</p>
            {outageTexts(limits.flatMap(({ policy }) => policy ?? [])).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        )}
      </dd>
    </dl>
  );
}

function Pool({ reports }: { reports: readonly Pick<NodeReport, "database">[] }) {
  const t = translator("adminSystem");
  const pools = reports.flatMap(({ database }) => database.pool ?? []);
  if (pools.length === 0) return <p className="mt-1 text-sm text-quiet">{t("stores.oneConnection")}</p>;
  const sum = (what: "size" | "busy" | "waiting") => pools.reduce((total, pool) => total + pool[what], 0);
  return (
    <p className="mt-1 text-sm text-quiet">
      {t("stores.pool", { size: sum("size"), busy: sum("busy"), waiting: sum("waiting") })}
    </p>
  );
}

function reachedText(kind: string, count: number, all: number): string {
  const t = translator("adminSystem");
  if (all === 1) return count === 1 ? t("stores.reached", { kind }) : t("stores.outOfReach", { kind });
  return count < all
    ? t("stores.reachedBySome", { kind, count, all })
    : t("stores.reachedByAll", { kind, all });
}
