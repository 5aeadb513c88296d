/** The header names that the installed Next.js reads, from its built files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const next = join(import.meta.dirname, "../node_modules/next/dist");
const runtimes = ["app-page-turbo", "app-route-turbo", "server"].map(
  (name) => `compiled/next-server/${name}.runtime.prod.js`,
);

/** Libraries in the installed Next.js that read headers of requests. */
const libraries = ["compression", "fresh", "send"].map((name) => `compiled/${name}/index.js`);

/** In lower case. Some are of answers, and some texts only look like a header. */
export function nextHeaderNames(): Set<string> {
  const inFolders = ["server", "build/templates"].flatMap((folder) =>
    readdirSync(join(next, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js"))
      .map((path) => `${folder}/${path}`),
  );
  const files = [
    ...inFolders,
    ...runtimes,
    ...libraries,
    "lib/constants.js",
    "client/components/app-router-headers.js",
  ];
  const names = files.flatMap((file) => {
    const code = readFileSync(join(next, file), "utf8");
    return [
      /["'`]((?:x|next|sec)-[a-z0-9-]+|rsc|purpose)["'`]/g,
      /\b(?:reqH|h)eaders(?:\[|\.get\(|\.has\()["'`]([A-Za-z0-9-]+)["'`]/g,
      /\bheaders\.([a-z]+)\b(?!\()/g,
    ].flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase()));
  });
  return new Set(names);
}
