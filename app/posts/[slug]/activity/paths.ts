/** Where a post's activity is, and where on that page a flood window is. */
import { postPath } from "@/lib/paths";

export const activityPath = (slug: string) => `${postPath(slug)}/activity`;
export const windowAnchor = (number: number) => `window-${number}`;
/** Of however many windows, that one is the first on the page. */
export const windowPath = (slug: string, number: number) =>
  `${activityPath(slug)}?before=${number + 1}#${windowAnchor(number)}`;
