/**
 * Loaded with `--import` into a server or a worker.
 * Ends it when its parent has gone without doing so.
 */
const parent = process.ppid;

setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 1_000).unref();
