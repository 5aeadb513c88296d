/**
 * The host to listen on; undefined for all addresses of the machine.
 * Without the setting HOST, demo and dev are for this machine only.
 */
export function listenHost(host, { dev = false, demo = false } = {}) {
  return host ?? (dev || demo ? "127.0.0.1" : undefined);
}
