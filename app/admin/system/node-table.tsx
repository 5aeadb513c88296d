import { ScrollArea } from "@/app/_components/scroll-area";
import { Second } from "@/app/_components/time";
import { formatter, translator } from "@/lib/i18n";
import type { NodeStatus } from "@/lib/observe/overview";

interface NodeTableProps {
  nodes: readonly NodeStatus[];
  /** The id of the node that rendered this page. */
  thisNode: string | undefined;
  /** Milliseconds. */
  now: number;
}

const shownOfVersion = 8;

/** The nodes and their status. */
export function NodeTable({ nodes, thisNode, now }: NodeTableProps) {
  const t = translator("adminSystem");
  if (nodes.length === 0) return <p className="text-quiet">{t("nodes.none")}</p>;
  const versions = new Set(nodes.flatMap(({ report, isSilent }) => (isSilent ? [] : [report?.version])));
  return (
    <>
      <ScrollArea label={t("nodes.title")}>
        <table className="table stacked">
          <thead>
            <tr>
              <th scope="col">{t("nodes.name")}</th>
              <th scope="col">{t("nodes.seen")}</th>
              <th scope="col">{t("nodes.started")}</th>
              <th scope="col">{t("nodes.build")}</th>
              <th scope="col" className="number">
                {t("nodes.eventLoop")}
              </th>
              <th scope="col" className="number pe-0">
                {t("nodes.memory")}
              </th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <NodeRow key={node.id} node={node} isThis={node.id === thisNode} now={now} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {versions.size > 1 && <p className="mt-3 text-sm">{t("nodes.differentBuilds")}</p>}
      <p className="mt-3 text-sm text-quiet">
        {t("nodes.help")} {nodes.some(({ isSilent }) => isSilent) && t("nodes.silentRoutes")}
      </p>
    </>
  );
}

function NodeRow({ node, isThis, now }: { node: NodeStatus; isThis: boolean; now: number }) {
  const t = translator("adminSystem");
  const { name, report, seenAt, startedAt, isSilent } = node;
  const agoMs = Math.max(0, now - seenAt);
  return (
    <tr>
      <th scope="row" className="whole font-medium wrap-anywhere text-ink">
        <bdi>{name}</bdi>
        {isThis && <span className="block font-normal text-quiet">{t("nodes.servedThis")}</span>}
      </th>
      <td data-label={t("nodes.seen")} className="whitespace-nowrap">
        <span className={isSilent ? "font-semibold text-wrong" : undefined}>
          {isSilent ? t("nodes.silent", { time: inUnit(agoMs / 60_000, "minute") }) : agoText(agoMs)}
        </span>
      </td>
      <td data-label={t("nodes.started")} className="whitespace-nowrap">
        <Second at={startedAt} />
      </td>
      <td data-label={t("nodes.build")}>
        {report ? (
          <code>{report.version?.slice(0, shownOfVersion) ?? t("nodes.development")}</code>
        ) : (
          t("nodes.anotherBuild")
        )}
      </td>
      <td data-label={t("nodes.eventLoop")} className="number whitespace-nowrap">
        {report ? inUnit(report.eventLoopP99Ms, "millisecond") : t("nodes.noFigure")}
      </td>
      <td data-label={t("nodes.memory")} className="number pe-0 whitespace-nowrap">
        {report ? inUnit(report.memoryBytes / 1e6, "megabyte") : t("nodes.noFigure")}
      </td>
    </tr>
  );
}

function agoText(agoMs: number): string {
  const t = translator("adminSystem");
  return agoMs < 1_000 ? t("nodes.now") : t("nodes.ago", { time: inUnit(agoMs / 1_000, "second") });
}

/** As "5 min" or "210 MB". */
function inUnit(value: number, unit: "minute" | "second" | "millisecond" | "megabyte"): string {
  return formatter().number(Math.round(value), { style: "unit", unit, unitDisplay: "short" });
}
