/** The frame of every script: one line per step, and one line for a failure. */
import { fileURLToPath } from "node:url";

/** A failure whose message is enough, without a stack. */
export class StepFailed extends Error {}

/**
 * Runs a script in the project's folder.
 * It returns its exit code, 1 when it throws.
 */
export async function main(script) {
  process.chdir(fileURLToPath(new URL("..", import.meta.url)));
  try {
    process.exitCode = await script();
  } catch (error) {
    console.error(error instanceof StepFailed ? error.message : error);
    process.exitCode = 1;
  }
}

/** Prints the title of a step, then how long it took. */
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
