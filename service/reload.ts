/** Changes of the configuration's files while the service runs. */
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../lib/logging/create-log.ts";
import {
  type Configuration,
  type FileFingerprints,
  faultLines,
  type Reading,
} from "./configuration/index.ts";

interface ReloadSettings {
  /** The file's name in messages. */
  name: string;
  read: () => Promise<Reading>;
  /** The configuration in force. */
  configuration: Configuration;
  /** Applies a new one to all later requests. */
  use: (configuration: Configuration) => void;
  /** Gets the outcome of a change. */
  reloaded: (outcome: "taken" | "refused") => void;
  log: Log;
}

/** The settings that cannot change: the service holds them open. */
const fixed = ["store", "peers"] as const;

/**
 * The function to call after a change.
 * Applies the new file whole, or not at all when it has a fault, which is logged. Resolves to the files that it read.
 * Never rejects.
 */
export function reloading({ name, read, configuration, use, reloaded, log }: ReloadSettings) {
  return async (): Promise<FileFingerprints> => {
    const reading = await read();
    const faults =
      "faults" in reading
        ? reading.faults
        : fixed
            .filter((part) => !isDeepStrictEqual(reading.configuration[part], configuration[part]))
            .map((part) => ({
              line: reading.lineOf([part]),
              message: `${part}: cannot change while the service runs: start it again, or write what was here`,
            }));
    if ("faults" in reading || faults.length > 0) {
      for (const line of faultLines(name, faults))
        log.error(`${line} (the old configuration stays in force)`);
      reloaded("refused");
      return reading.seen;
    }
    use(reading.configuration);
    log.info(`${name} has changed and was reloaded`);
    reloaded("taken");
    return reading.seen;
  };
}
