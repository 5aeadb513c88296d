/** The frame of the commands that read or write one file of the whole blog. */
import { fileFrom, type OperationOutcome, operation, progress, WrongUsage } from "./operation.ts";

interface FileWork {
  databaseUrl: string;
  mediaFolder: string;
  /** The path of FILE. */
  file: string;
  /** Whether `--force` allows to replace something. */
  replaces: boolean;
  onStage: ReturnType<typeof progress>["show"];
}

/** A command `-- FILE [--force]`, with a progress bar. */
export async function fileOperation(
  usage: string,
  work: (work: FileWork) => Promise<OperationOutcome>,
): Promise<void> {
  await operation({
    usage,
    options: { force: { type: "boolean" } },
    async run([name, ...rest], { force }) {
      if (rest.length > 0) throw new WrongUsage(`There is only one FILE; ${rest.join(" ")} is too much.`);
      const file = fileFrom(name);
      const { env } = await import("../lib/settings/env.ts");
      const { mediaFolderPath } = await import("../lib/settings/data-folder.ts");
      const bar = progress();
      try {
        return await work({
          databaseUrl: env.DATABASE_URL,
          mediaFolder: mediaFolderPath(env),
          file,
          replaces: force === true,
          onStage: bar.show,
        });
      } finally {
        bar.stop();
      }
    },
  });
}
