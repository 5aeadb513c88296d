import { importSchema, shownImport } from "@/lib/api/archives";
import { asAdministrator, failed, failedFor, json, route, withInput } from "@/lib/api/route";
import { app } from "@/lib/app";
import { startImport } from "@/lib/import-uploads/run";
import { archiveAt, isRunning, readReport } from "@/lib/import-uploads/uploads";
import { validate } from "@/lib/validation";

async function importOf(id: string, now: number) {
  const report = await readReport(app().mediaFolder, id);
  return json(shownImport(report, report !== undefined && isRunning(report, now)));
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  /** The state of an archive's import; for administrators. */
  GET: asAdministrator(async ({ params, now }) => {
    const id = String(params.archive);
    return (await archiveAt(app().mediaFolder, id)) ? importOf(id, now) : failed({ kind: "nothing-there" });
  }),
  /** Begins an import, or a trial; for administrators. */
  POST: asAdministrator(
    withInput(65_536, async ({ params, user, input, now }) => {
      const checked = validate(importSchema, input);
      if (!checked.ok) return failed({ kind: "invalid", errors: checked.errors });
      const { format, dryRun, authors } = checked.value;
      const id = String(params.archive);
      const accounts = Object.entries(authors).map(([name, account]) => ({ name, account }));
      const outcome = await startImport(app(), {
        ...{ actor: user, id, format, isTrial: dryRun },
        authors: accounts,
        now,
      });
      if (outcome.kind === "running") return failed({ kind: "import-running" });
      return outcome.kind === "started" ? importOf(id, now) : failedFor(user, outcome);
    }),
  ),
});
