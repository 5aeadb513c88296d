/**
 * React's renderer of static HTML, which the server provides.
 * The build has no such renderer beside server components.
 */
import type { ReactNode } from "react";

export type RenderStaticMarkup = (node: ReactNode) => string;

// On the global object: the build bundles a copy of this module, and the server loads it as it is.
const shared: { weirStaticMarkup?: RenderStaticMarkup } & typeof globalThis = globalThis;

export function provideStaticMarkup(render: RenderStaticMarkup): void {
  shared.weirStaticMarkup = render;
}

/** Undefined in a process that has provided none. */
export function staticMarkup(): RenderStaticMarkup | undefined {
  return shared.weirStaticMarkup;
}
