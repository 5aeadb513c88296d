/** How the scripts run and what they say: one line for each step, and one for whatever stops them. */
import { fileURLToPath } from "node:url";

/** A failure that its message explains: no stack is needed. */
export class StepFailed extends Error {}

/** Runs a script in the project's folder; it returns the exit code, and what it throws is 1. */
export async function main(script) {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  try {
    process.exitCode = await script();
  } catch (error) {
    console.error(error instanceof StepFailed ? error.message : error);
    process.exitCode = 1;
  }
}

/** Says what is being done, then how long it took. */
export async function step(title, work) {
  const startedAt = performance.now();
  process.stdout.write(`${title} … `);
  try {
    await work();
  } catch (error) {
    console.log("failed");
    throw error;
  }
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
