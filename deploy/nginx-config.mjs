/** Renders `nginx.conf` for one machine, with other addresses and folders. */
import { readFileSync } from "node:fs";

/**
 * The text of an nginx configuration.
 *
 * @param {{ listen: string, upstreams: string[], folder: string, tls?: string }} place
 *   listen: address and port, such as `127.0.0.1:8080`; upstreams: the nodes' addresses; folder: the absolute path of an
 *   existing one, for nginx's cache, process id and log, `access.log`; tls: address and port for TLS, with the certificate,
 *   the key and `https-port.conf` in `folder`.
 * @returns {string} the text of a configuration file. Run it with `-g "daemon off;"` to stay its parent.
 */
export function renderNginxConfig({ listen, upstreams, folder, tls }) {
  if (!/^\/[\w./-]*$/.test(folder)) throw new Error(`nginx cannot be run in a folder named ${folder}`);
  if (upstreams.length === 0) throw new Error("nginx needs a node");
  const text = readFileSync(new URL("nginx.conf", import.meta.url), "utf8");
  const [, settings] = /# \[nodes\n\s*server \S+( .*;)\n/.exec(text) ?? [];
  if (settings === undefined) throw new Error("nginx.conf names no node where it should");
  const changes = [
    // As root, nginx would otherwise run its workers as a user without access to the folder.
    ["# [user]\n", process.getuid?.() === 0 ? "user root;\n" : ""],
    [
      between(text, "# [nodes\n", "# nodes]"),
      upstreams.map((node) => `server ${node}${settings}`).join("\n    "),
    ],
    ["listen 8080; # [listen]", `listen ${listen};`],
    [" /dev/stdout ", ` ${folder}/access.log `],
    ["include /etc/nginx/tls/*.conf; # [tls]", tls === undefined ? "" : tlsSettings(tls, folder)],
  ];
  // The folder first: later replacements may be below /tmp themselves.
  return changes.reduce(
    (changed, [mark, replacement]) => {
      if (!changed.includes(mark)) throw new Error(`nginx.conf has lost a mark: ${mark}`);
      return changed.replace(mark, () => replacement);
    },
    text.replaceAll(" /tmp/", ` ${folder}/`),
  );
}

function tlsSettings(listen, folder) {
  const text = readFileSync(new URL("nginx-tls.conf", import.meta.url), "utf8");
  const mark = "listen 8443 ssl; # [listen tls]";
  if (!text.includes(mark)) throw new Error(`nginx-tls.conf has lost a mark: ${mark}`);
  return text.replace(mark, `listen ${listen} ssl;`).replaceAll(/ \/(etc\/nginx|tmp)\//g, ` ${folder}/`);
}

/**
 * The text from one mark to the end of the other.
 * A text that matches nothing when a mark is missing.
 */
function between(text, from, to) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  return start < 0 || end < 0 ? `${from}…${to}` : text.slice(start, end + to.length);
}
