/** Runs after the last browser test: its database is of no more use. */
import { rmSync } from "node:fs";

export default function removeFolder() {
  if (process.env.E2E_FOLDER) rmSync(process.env.E2E_FOLDER, { recursive: true, force: true });
}
