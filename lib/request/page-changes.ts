/**
 * The number of changes of pages' content.
 * Copies of pages end with the next change.
 */

// On the global object: the build bundles a copy of this module, and the server loads it as it is.
const shared: { weirPageChanges?: { count: number } } & typeof globalThis = globalThis;
shared.weirPageChanges ??= { count: 0 };
const changes = shared.weirPageChanges;

/** Changes that this process has saved so far. */
export function pageChanges(): number {
  return changes.count;
}

/** Counts a change, once it is saved. */
export function countPageChange(): void {
  changes.count += 1;
}
