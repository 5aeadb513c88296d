/** Writes the log lines of one turn of the event loop together. */
// Next.js replaces the global setImmediate, and delays its callbacks while it renders.
import { setImmediate } from "node:timers";
import type { DestinationStream } from "pino";

interface Destination extends DestinationStream {
  flushSync(): void;
}

/**
 * The bytes that a pipe takes whole.
 * Also beside another process that writes to it.
 */
const atOnceMaximum = 4_096;

/**
 * A stream that collects the lines of one turn.
 * The destination measures all that is still to be written again for each line. The lines of a turn that ends in a
 * crash are lost.
 */
export function bufferedDestination(destination: Destination): DestinationStream {
  let lines = "";
  let bytes = 0;
  function flush(): void {
    const text = lines;
    lines = "";
    bytes = 0;
    if (text !== "") destination.write(text);
  }
  process.on("exit", () => {
    flush();
    destination.flushSync();
  });
  return {
    write(line) {
      const more = Buffer.byteLength(line);
      if (bytes + more > atOnceMaximum) flush();
      if (lines === "") setImmediate(flush);
      lines += line;
      bytes += more;
    },
  };
}
