/** Writes the log lines of some milliseconds together. */
import type { DestinationStream } from "pino";

interface Destination extends DestinationStream {
  flushSync(): void;
}

/**
 * The bytes that a pipe takes whole.
 * Also beside another process that writes to it.
 */
const atOnceMaximum = 4_096;

/** How long a line may wait for others. */
const waitMaximumMs = 10;

/**
 * A stream that collects lines and writes them together.
 * A write is a system call, which takes longer than the line itself. The lines that wait when the process is killed are
 * lost.
 */
export function bufferedDestination(destination: Destination): DestinationStream {
  let lines = "";
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
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
      timer ??= setTimeout(flush, waitMaximumMs).unref();
      lines += line;
      bytes += more;
    },
  };
}
