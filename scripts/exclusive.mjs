/**
 * One process at a time prepares this folder.
 * Two installs, or two builds, would take each other's files away.
 *
 * The lock is a listening socket, because the system releases it however its holder ends.
 */
import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";

/** Runs `work` once no other process is inside its own `exclusively` of this name. */
export async function exclusively(name, work) {
  mkdirSync(".cache", { recursive: true });
  // Relative: the path of a socket may have some 100 characters only, and a checkout may lie deep.
  const path = `.cache/${name}.sock`;
  let release = await takeLock(path);
  while (!release) {
    await holderEnds(path, () =>
      console.log(`Waiting for another process in this folder to end its ${name}`),
    );
    release = await takeLock(path);
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * Resolves to a function that releases the lock.
 * To undefined when another process holds it.
 */
function takeLock(path) {
  const waiting = new Set();
  const server = createServer((socket) => waiting.add(socket.on("error", () => {})));
  const release = () =>
    new Promise((closed) => {
      server.close(closed);
      for (const socket of waiting) socket.destroy();
    });
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(path, () => resolve(release));
  });
}

function holderEnds(path, onWait) {
  return new Promise((resolve) => {
    const socket = connect(path, onWait);
    socket.once("error", (error) => {
      // The file exists but no process listens: its holder was killed.
      if (error.code === "ECONNREFUSED") rmSync(path, { force: true });
    });
    socket.once("close", resolve);
  });
}
