import { ScrollArea } from "@/app/_components/scroll-area";
import { Moment } from "@/app/_components/time";
import { formatNumber, formatShortDuration } from "@/lib/limiter/text";
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
  if (nodes.length === 0)
    return <p className="text-quiet">No node has said anything yet, or the database cannot be written.</p>;
  const versions = new Set(nodes.flatMap(({ report, isSilent }) => (isSilent ? [] : [report?.version])));
  return (
    <>
      <ScrollArea label="Nodes">
        <table className="table min-w-[38rem]">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Seen</th>
              <th scope="col">Started</th>
              <th scope="col">Build</th>
              <th scope="col" className="number">
                Event loop
              </th>
              <th scope="col" className="number pe-0">
                Memory
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
      {versions.size > 1 && <p className="mt-3 text-sm">The nodes do not all run the same build.</p>}
      <p className="mt-3 text-sm text-quiet">
        Event loop: how late 99 in 100 turns of it were at most, in the last fifteen seconds. A node that is
        not seen for an hour is forgotten.
        {nodes.some(({ isSilent }) => isSilent) && " The routes of a silent node are left out below."}
      </p>
    </>
  );
}

function NodeRow({ node, isThis, now }: { node: NodeStatus; isThis: boolean; now: number }) {
  const { name, report, seenAt, startedAt, isSilent } = node;
  const agoMs = Math.max(0, now - seenAt);
  return (
    <tr>
      <th scope="row" className="font-medium wrap-anywhere text-ink">
        <bdi>{name}</bdi>
        {isThis && <span className="block font-normal text-quiet">made this page</span>}
      </th>
      <td className="whitespace-nowrap">
        <bdi dir="ltr" className={isSilent ? "font-semibold text-wrong" : undefined}>
          {isSilent
            ? `silent for ${formatShortDuration(Math.round(agoMs / 60_000) * 60_000)}`
            : agoText(agoMs)}
        </bdi>
      </td>
      <td className="whitespace-nowrap">
        <Moment at={startedAt} />
      </td>
      <td>{report ? <code>{report.version?.slice(0, shownOfVersion) ?? "development"}</code> : "another"}</td>
      <td className="number whitespace-nowrap">
        <bdi dir="ltr">{report ? `${formatNumber(Math.round(report.eventLoopP99Ms))} ms` : "–"}</bdi>
      </td>
      <td className="number pe-0 whitespace-nowrap">
        <bdi dir="ltr">{report ? `${formatNumber(Math.round(report.memoryBytes / 1e6))} MB` : "–"}</bdi>
      </td>
    </tr>
  );
}

function agoText(agoMs: number): string {
  return agoMs < 1_000 ? "now" : `${formatNumber(Math.round(agoMs / 1_000))} s ago`;
}
