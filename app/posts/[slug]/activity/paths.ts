/** Where a post's activity is, and where on that page a flood window is. */
import { postPath } from "@/lib/paths";

export const activityPath = (slug: string) => `${postPath(slug)}/activity`;
export const windowAnchor = (number: number) => `window-${number}`;
export const windowPath = (slug: string, number: number) => `${activityPath(slug)}#${windowAnchor(number)}`;
