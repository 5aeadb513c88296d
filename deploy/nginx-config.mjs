/** `nginx.conf` for one machine: the same file, with other addresses and folders where it says so. */
import { readFileSync } from "node:fs";

/**
 * @param {{ listen: string, upstreams: string[], folder: string }} place
 *   listen: address and port, such as `127.0.0.1:8080`; upstreams: those of the nodes; folder: an existing one, by its
 *   absolute path, in which nginx keeps its cache, its process id and its log, `access.log`.
 * @returns {string} the text of a configuration file. Run it with `-g "daemon off;"` to stay its parent.
 */
export function renderNginxConfig({ listen, upstreams, folder }) {
  if (!/^\/[\w./-]*$/.test(folder)) throw new Error(`nginx cannot be run in a folder named ${folder}`);
  const servers = upstreams.map((address) => `server ${address} max_fails=1 fail_timeout=2s;`);
  const changes = [
    // As root, it would otherwise hand its work to a user who may not enter the folder.
    [/^# \[user\]$/gm, process.getuid?.() === 0 ? "user root;" : ""],
    [/# \[nodes\n[\s\S]*?# nodes\]/g, servers.join("\n    ")],
    [/listen 8080; # \[listen\]/g, `listen ${listen};`],
    [/(?<= )\/tmp\//g, `${folder}/`],
    [/access_log \/dev\/stdout /g, `access_log ${folder}/access.log `],
  ];
  return changes.reduce(
    (text, [mark, replacement]) => {
      if (text.search(mark) < 0) throw new Error(`nginx.conf has nothing that matches ${mark}`);
      return text.replace(mark, () => replacement);
    },
    readFileSync(new URL("nginx.conf", import.meta.url), "utf8"),
  );
}
