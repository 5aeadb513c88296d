/** PostgreSQL. */
import type { Database } from "../types.ts";

export async function openPostgres(_url: string): Promise<Database> {
  throw new Error("not yet");
}

export function isPostgresUnavailable(_error: unknown): boolean {
  return false;
}
