/** What became of a try, in a table of tries. */
export function DecisionCell({ allowed }: { allowed: boolean }) {
  return (
    <td className={allowed ? "text-water" : "font-medium text-amber"}>{allowed ? "accepted" : "refused"}</td>
  );
}
