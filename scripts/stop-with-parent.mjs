/** Loaded into a server with `--import`: ends it when the script that started it was killed and could not. */
const parent = process.ppid;

setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 1_000).unref();
