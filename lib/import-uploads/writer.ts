/** The process that writes an import's report, so that its death is known at once. */
import { readFileSync, readlinkSync } from "node:fs";
import { errorCode } from "../../db/error-code.ts";

/**
 * A running kernel and a namespace of it, in which a process has a number.
 * Undefined where there is no such thing to read, as on macOS: nodes that share a folder may have one host name.
 */
function namespace(): string | undefined {
  try {
    const kernel = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${kernel} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

/** This process, as in its reports; undefined where others could not find it. */
export function thisProcess(): string | undefined {
  const own = namespace();
  return own && `${own} ${process.pid}`;
}

/**
 * Whether a process has certainly ended.
 * False for one of another host or container, and where its number belongs to a new process.
 */
export function hasEnded(writer: string): boolean {
  const end = writer.lastIndexOf(" ");
  if (writer.slice(0, end) !== namespace()) return false;
  try {
    process.kill(Number(writer.slice(end + 1)), 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}
