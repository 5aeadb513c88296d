/** An attempt's outcome as a table cell. */
export function DecisionCell({ allowed, held = false }: { allowed: boolean; held?: boolean }) {
  if (!allowed) return <td className="font-medium text-amber">refused</td>;
  return held ? <td className="text-amber">held</td> : <td className="text-water">accepted</td>;
}
