/** One thing that was looked at. */
export interface DoctorCheck {
  name: string;
  status: "ok" | "warning" | "fault";
  /** A finding, and where it is a fault, the remedy. */
  says: string;
}

export const ok = (name: string, says: string): DoctorCheck => ({ name, status: "ok", says });
export const warning = (name: string, says: string): DoctorCheck => ({ name, status: "warning", says });
export const fault = (name: string, says: string): DoctorCheck => ({ name, status: "fault", says });

/** The first few of many lines. */
export function firstOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3).join("; ");
  return lines.length > 3 ? `${shown}; and ${lines.length - 3} more` : shown;
}
