/** Prints measurements beside the results. */
export function figure(text: string): void {
  process.stdout.write(`    ${text}\n`);
}
