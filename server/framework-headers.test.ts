import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dropFrameworkHeaders, isDropped } from "./framework-headers.ts";

const next = join(import.meta.dirname, "../node_modules/next/dist");
const runtimes = ["app-page-turbo", "app-route-turbo", "server"].map(
  (name) => `compiled/next-server/${name}.runtime.prod.js`,
);
const folders = ["server", "build/templates"].flatMap((folder) =>
  readdirSync(join(next, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => `${folder}/${path}`),
);
const files = [...folders, ...runtimes, "lib/constants.js", "client/components/app-router-headers.js"];

/** Every name that the installed Next.js reads as a header: by `headers`, or by a constant that looks like one. */
const names = new Set(
  files.flatMap((file) => {
    const code = readFileSync(join(next, file), "utf8");
    return [
      /["'`]((?:x|next|sec)-[a-z0-9-]+|rsc|purpose)["'`]/g,
      /\bheaders(?:\[|\.get\(|\.has\()["'`]([A-Za-z0-9-]+)["'`]/g,
      /\breq(?:uest)?\.headers\.([a-z]+)\b/g,
    ].flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase()));
  }),
);

/** What a header may do that is not dropped. The server replaces `x-forwarded-*` by what can be believed. */
const effects: Record<string, string> = {
  rsc: "answers with the data of a page in place of its HTML",
  "next-router-state-tree": "with rsc: what the browser has of the page already",
  "next-router-prefetch": "with rsc: only what can be shown in advance",
  "next-router-segment-prefetch": "with rsc: one part of the page",
  "next-url": "with rsc: the page that the browser is on",
  "next-action": "the form's action, sent by a script of ours",
  "x-action-forwarded": "of a request from the server to itself: the action's result without a page",
  "x-deployment-id": "the build that the browser's page is of",
  purpose: "prefetch: an answer that is rendered in advance may be older",
  "sec-purpose": "as purpose",
  "sec-fetch-dest": "a page that is not there is a short text for a script or a picture",
  "sec-fetch-mode": "as sec-fetch-dest",
  "sec-fetch-site": "as sec-fetch-dest",
  "sec-fetch-user": "as sec-fetch-dest",
  "x-forwarded-for": "replaced",
  "x-forwarded-host": "replaced",
  "x-forwarded-port": "replaced",
  "x-forwarded-proto": "replaced",
  accept: "the formats that the client prefers",
  "access-control-request-headers": "of a preflight, in development",
  "cache-control": "no effect on pages that are made for each request",
  "content-encoding": "a body that is compressed is not read",
  "content-length": "the length of the body",
  "content-type": "the format of the body",
  cookie: "the session",
  etag: "of an answer",
  host: "where the request was sent",
  location: "of an answer",
  origin: "where the request comes from; a foreign one is refused",
  referer: "the page before",
  "set-cookie": "of an answer",
  traceparent: "the trace that the request belongs to",
  tracestate: "as traceparent",
  "user-agent": "the browser; crawlers get the whole page at once",
  vary: "of an answer",
};

/** Texts in the code that look like headers and are none. */
const notHeaders = new Set([
  "entries",
  "get",
  "x-gzip",
  "x-height",
  "x-cp1252",
  "x-www-form-urlencoded",
  "next-dev",
  "next-font-manifest",
  "next-image-loader",
  "next-instant-navigation-testing",
  "next-patch",
  "next-render-worker-",
  "next-route-announcer",
  "next-rspack",
  "next-size-adjust",
]);

test("every header that the installed Next.js reads is dropped, or has an effect that is written down", () => {
  expect(names.size).toBeGreaterThan(60);
  const unknown = [...names].filter(
    (name) => !isDropped(name) && !(name in effects) && !notHeaders.has(name),
  );
  expect(unknown).toEqual([]);
});

test("drops the framework's headers and keeps all others", () => {
  const headers = {
    "x-middleware-prefetch": "1",
    "next-resume": "1",
    rsc: "1",
    cookie: "a=b",
    "x-request-id": "c",
  };
  dropFrameworkHeaders(headers);
  expect(headers).toEqual({ rsc: "1", cookie: "a=b", "x-request-id": "c" });
});
