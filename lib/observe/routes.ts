/** The app's routes: request times are kept per route, because paths are unbounded. */
import { LRUCache } from "lru-cache";

/**
 * Every route of `app/`, and those of `server/`.
 * Static routes stand before dynamic ones.
 */
export const routes = [
  "/",
  "/accent.css",
  "/account",
  "/account/bookmarks",
  "/account-data.zip",
  "/account/export",
  "/account/media",
  "/account/media/uploads",
  "/account/new-email",
  "/account/passkeys",
  "/account/posts",
  "/account/ratings",
  "/account/restore-email",
  "/account/two-steps",
  "/admin",
  "/admin/accounts",
  "/admin/archive",
  "/admin/archive/uploads",
  "/admin/archive/[id]",
  "/admin/decisions",
  "/admin/images",
  "/admin/images/[id]",
  "/admin/people",
  "/admin/people/[name]",
  "/admin/posts",
  "/admin/posts/[slug]",
  "/admin/settings",
  "/admin/subscribers",
  "/admin/subscribers/export",
  "/admin/system",
  "/admin/webhooks",
  "/admin/webhooks/[id]",
  "/admin/welcome",
  "/api/account",
  "/api/account-changes",
  "/api/account/confirmation",
  "/api/account/email",
  "/api/account/email/restoration",
  "/api/account/export",
  "/api/account/mails",
  "/api/archive",
  "/api/archive/[year]",
  "/api/bookmarks",
  "/api/challenge",
  "/api/confirmations",
  "/api/drafts",
  "/api/export",
  "/api/images",
  "/api/images/[id]/removal",
  "/api/imports",
  "/api/imports/[archive]",
  "/api/mail",
  "/api/mail/test",
  "/api/media",
  "/api/media/[id]",
  "/api/invitations",
  "/api/invitations/acceptance",
  "/api/invitations/[id]",
  "/api/openapi.json",
  "/api/password-resets",
  "/api/posts",
  "/api/posts/[slug]",
  "/api/posts/[slug]/bookmark",
  "/api/posts/[slug]/nearby",
  "/api/posts/[slug]/rating",
  "/api/posts/[slug]/revisions",
  "/api/posts/[slug]/revisions/[id]",
  "/api/posts/[slug]/revisions/[id]/changes",
  "/api/posts/[slug]/revisions/[id]/restore",
  "/api/posts/[slug]/score",
  "/api/preview",
  "/api/ratings",
  "/api/session",
  "/api/settings",
  "/api/settings/images/[name]",
  "/api/site",
  "/api/subscribers",
  "/api/subscribers/export",
  "/api/subscribers/[id]",
  "/api/subscriptions",
  "/api/subscriptions/confirmation",
  "/api/tags",
  "/api/unsubscriptions",
  "/api/users",
  "/api/users/[username]",
  "/api/users/[username]/disabled",
  "/api/users/[username]/export",
  "/api/users/[username]/profile",
  "/api/waiting-accounts",
  "/api/webhooks",
  "/api/webhooks/[id]",
  "/api/webhooks/[id]/deliveries",
  "/api/webhooks/[id]/retry",
  "/api/webhooks/[id]/secret",
  "/api/webhooks/[id]/test",
  "/api/writing-requests",
  "/api/writing-requests/[username]",
  "/api/[[...rest]]",
  "/archive",
  "/archive/[year]",
  "/confirm-email",
  "/feed.json",
  "/feed.xml",
  "/healthz",
  "/how-scores-work",
  "/lab",
  "/lab/environment",
  "/lab/ratings",
  "/language",
  "/login",
  "/login/code",
  "/login/forgot",
  "/login/new-password",
  "/login/reset",
  "/manifest.webmanifest",
  "/media/[file]",
  "/metrics",
  "/posts/new",
  "/posts/[slug]",
  "/posts/[slug]/activity",
  "/posts/[slug]/edit",
  "/posts/[slug]/image.png",
  "/site-export.zip",
  "/posts/[slug]/revisions",
  "/posts/[slug]/stars",
  "/privacy",
  "/readyz",
  "/register",
  "/register/confirm",
  "/robots.txt",
  "/sitemap.xml",
  "/tags/[slug]",
  "/tags/[slug]/feed.json",
  "/tags/[slug]/feed.xml",
  "/subscribe",
  "/subscribe/confirm",
  "/theme",
  "/unsubscribe",
  "/unsubscribe/one-click",
  "/users/[name]",
  "/users/[name]/feed.json",
  "/users/[name]/feed.xml",
] as const;

export type Route = (typeof routes)[number] | "(no route)";

/** A longer path is not kept. */
const keptPathMaximum = 300;
/** The routes of the latest paths. */
const known = new LRUCache<string, Route>({ max: 1_000 });
const patterns = routes.map((route) => [route, partsOf(route)] as const);

/** The route that matches a path, or "(no route)"; undefined for build files. */
export function routeOf(path: string): Route | undefined {
  if (path.startsWith("/_next/")) return undefined;
  const before = known.get(path);
  if (before !== undefined) return before;
  const parts = partsOf(path);
  const route = patterns.find(([, pattern]) => matches(parts, pattern))?.[0] ?? "(no route)";
  // A copy: V8 keeps the whole address of a path that is a slice of it.
  if (path.length <= keptPathMaximum) known.set(Buffer.from(path).toString(), route);
  return route;
}

function partsOf(path: string): string[] {
  return path.split("/").slice(1);
}

function matches(parts: readonly string[], pattern: readonly string[]): boolean {
  if (pattern.at(-1)?.startsWith("[[..."))
    return pattern.slice(0, -1).every((fixed, index) => parts[index] === fixed);
  return (
    parts.length === pattern.length &&
    pattern.every((fixed, index) => (fixed.startsWith("[") ? parts[index] !== "" : parts[index] === fixed))
  );
}
