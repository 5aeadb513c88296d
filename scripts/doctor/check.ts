/** One check and its finding. */
export interface DoctorCheck {
  name: string;
  status: "ok" | "warning" | "fault";
  /** A finding, and where it is a fault, the remedy. */
  finding: string;
}

export const ok = (name: string, finding: string): DoctorCheck => ({ name, status: "ok", finding });
export const warning = (name: string, finding: string): DoctorCheck => ({ name, status: "warning", finding });
export const fault = (name: string, finding: string): DoctorCheck => ({ name, status: "fault", finding });

/** The first few of many lines. */
export function firstOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3).join("; ");
  return lines.length > 3 ? `${shown}; and ${lines.length - 3} more` : shown;
}
