/** Where the service listens: addresses as they are written on the command line. */
import { BlockList, isIP, isIPv4 } from "node:net";

export interface ListenAddress {
  /**
   * The address in the listener's format.
   * "tcp://127.0.0.1:7777" for ZeroMQ, "127.0.0.1:7778" for HTTP. Port 0 takes a free one.
   */
  address: string;
  /** Whether only programs of this machine can come by it. */
  isLoopback: boolean;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Parses a ZeroMQ address; undefined for any other text.
 * Such as tcp://127.0.0.1:7777, tcp://[::1]:7777 or tcp://*:7777.
 */
export function zeromqAddress(text: string): ListenAddress | undefined {
  const prefix = "tcp://";
  if (!text.startsWith(prefix)) return undefined;
  const found = hostAndPort(text.slice(prefix.length));
  // ZeroMQ binds to no host names; other text may be the name of a network interface.
  if (!found || found.host === "") return undefined;
  return { address: `${prefix}${found.host}:${found.port}`, isLoopback: isLoopback(found.host) };
}

/**
 * Parses an HTTP address; undefined for any other text.
 * Such as 127.0.0.1:7778, [::1]:7778 or limiter.example.org:7778.
 */
export function httpAddress(text: string): ListenAddress | undefined {
  const found = hostAndPort(text);
  if (!found || found.host === "*") return undefined;
  return { address: `${found.host}:${found.port}`, isLoopback: isLoopback(found.host) };
}

/**
 * Splits a host and a port; an IPv6 host stays in brackets.
 * Undefined when this is not a host with a port.
 */
export function hostAndPort(text: string): { host: string; port: number } | undefined {
  const [, host = "", digits = ""] = /^(\[[\da-f:.]+\]|\*|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (host === "" || port > 65_535) return undefined;
  if (host.startsWith("[") && isIP(host.slice(1, -1)) !== 6) return undefined;
  // Of digits and points, and yet no address: a typing error, and not the name of a host.
  if (/^[\d.]+$/.test(host) && !isIPv4(host)) return undefined;
  return { host: host === "localhost" ? "127.0.0.1" : host, port };
}

/** An IPv6 address as the system takes it. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/** Whether only programs of this machine can come by this host. */
export function isLoopback(host: string): boolean {
  const address = withoutBrackets(host);
  return isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}
