/** `npm run user -- …` */
import type { Managed } from "../lib/users/manage.ts";
import { type OperationOutcome, operation, WrongUsage } from "./operation.ts";
import { readPassword } from "./password.ts";

const [{ Failure }, { openDatabase }] = await Promise.all([
  import("../db/failure.ts"),
  import("../db/index.ts"),
]);

/** The roles, as a sentence has them. */
const roleNames = {
  administrator: "an administrator",
  moderator: "a moderator",
  writer: "a writer",
} as const;

await operation({
  usage: `npm run user -- list
npm run user -- create NAME EMAIL [--administrator]
npm run user -- promote NAME            makes an administrator; with --role another role
npm run user -- demote NAME             … and no longer
npm run user -- disable NAME …          ends all sessions, and takes the ratings out of the scores; no log-in until
npm run user -- enable NAME …           … which restores the ratings
npm run user -- disable --file FILE                     the names in a file, one a line
npm run user -- disable --registered-between FROM TO    all accounts from FROM on and before TO; as in 2026-03-01
                                                        or 2026-03-01T09:30Z, in UTC
npm run user -- reset-password NAME     ends all sessions; the user gets an email, where mail is set up
npm run user -- remove-second-factor NAME               when it is lost; ends all sessions
npm run user -- export NAME FILE.zip    everything that the site keeps about the user, as on their account page

API tokens outlast a reset: after a theft, disable the account, or have its owner check the list on the account page.
The server may run meanwhile. The password is typed on a terminal, and otherwise read from standard input:
  npm run --silent user -- create alder alder@example.org <password-file

  --administrator   with create: may decide about every post and account
  --force           with export: replaces FILE.zip when there is one already
  --dry-run         with disable and enable: changes nothing; reports how many ratings and posts would change
  --why REASON      with disable and enable: kept on record
  --role ROLE       with promote and demote: administrator (unless set); moderator, who decides on floods of
                    other authors' posts; or writer, who may write where not everyone may`,
  options: {
    administrator: { type: "boolean" },
    role: { type: "string" },
    file: { type: "string" },
    "registered-between": { type: "string" },
    why: { type: "string" },
    "dry-run": { type: "boolean" },
    force: { type: "boolean" },
  },
  async run([command, ...names], values) {
    const { administrator = false, role, file, why, "dry-run": dryRun = false, force = false } = values;
    const registeredFrom = values["registered-between"];
    const selects = file ?? registeredFrom ?? why ?? (dryRun ? "" : undefined);
    if (selects !== undefined && command !== "disable" && command !== "enable")
      throw new WrongUsage("--file, --registered-between, --why and --dry-run go with disable and enable.");
    if (force && command !== "export") throw new WrongUsage("--force goes with export.");
    if (administrator && command !== "create") throw new WrongUsage("--administrator goes with create.");
    if (role !== undefined && command !== "promote" && command !== "demote")
      throw new WrongUsage("--role goes with promote and demote.");
    if (role !== undefined && role !== "administrator" && role !== "moderator" && role !== "writer")
      throw new WrongUsage(`There is no role ${role}; there are administrator, moderator and writer.`);
    const { env } = await import("../lib/settings/env.ts");
    const users = await import("../lib/users/manage.ts");
    const [username = "", email = ""] = names;
    const inDatabase = async (
      work: (
        context: { database: Awaited<ReturnType<typeof openDatabase>> },
        now: number,
      ) => Promise<OperationOutcome>,
    ) => {
      const database = await openDatabase(env.DATABASE_URL);
      try {
        return await work({ database }, database.time());
      } finally {
        await database.close();
      }
    };
    const expect = (count: number, what: string) => {
      if (names.length !== count) throw new WrongUsage(`${command} needs ${what}.`);
    };
    const manage = (
      done: string,
      work: (...args: Parameters<Parameters<typeof inDatabase>[0]>) => Promise<Managed>,
    ) => {
      expect(1, "a NAME and nothing else");
      return inDatabase(async (context, now) => outcomeOf(await work(context, now), username, done));
    };

    switch (command) {
      case "list":
        expect(0, "nothing else");
        return inDatabase(async (context) => listed(await users.listUsers(context)));
      case "create": {
        expect(2, "a NAME and an EMAIL");
        const input = { username, email, password: await readPassword() };
        return inDatabase(async (context, now) => {
          const outcome = await users.createAccount(context, { input, isAdministrator: administrator, now });
          if (outcome.kind !== "registered")
            throw new Failure(Object.values(outcome.errors).flat().join(" "));
          const { id: _id, isModerator: _role, ...user } = outcome.user;
          const role = user.isAdministrator ? " and an administrator" : "";
          return { json: user, lines: [`${user.username} is a user now${role}.`] };
        });
      }
      case "promote":
      case "demote": {
        const given = command === "promote";
        const changed = role ?? "administrator";
        const done = given ? `is ${roleNames[changed]} now` : `is not ${roleNames[changed]} any more`;
        return manage(done, (context, now) =>
          users.setRoleByOperator(context, { username, role: changed, given, now }),
        );
      }
      case "disable":
      case "enable": {
        const { accountsOf, changeDisabled } = await import("./user/disable.ts");
        const change = { ...accountsOf(command, { names, file, registeredFrom }), why, dryRun };
        return inDatabase((context, now) => changeDisabled(context, command, change, now));
      }
      case "export": {
        expect(2, "a NAME and a FILE.zip");
        const [, target = ""] = names;
        const { exportUser } = await import("./user/export.ts");
        return inDatabase((context, now) => exportUser(context, { username, file: target, force }, now));
      }
      case "remove-second-factor":
        return manage("logs in with the password alone now, and all their sessions have ended", (context) =>
          users.removeSecondFactor(context, { username }),
        );
      case "reset-password": {
        expect(1, "a NAME and nothing else");
        const input = { newPassword: await readPassword() };
        const { siteMail } = await import("../lib/mail/site-mail.ts");
        const { refreshSiteSettings } = await import("../lib/site/index.ts");
        return manage("has the new password, and all their sessions have ended", async (context, now) => {
          await refreshSiteSettings(context.database);
          const outcome = await users.resetPassword(
            { ...context, mail: siteMail() },
            { username, input, now },
          );
          if (outcome.kind === "invalid") throw new Failure(Object.values(outcome.errors).flat().join(" "));
          return outcome;
        });
      }
      default:
        throw new WrongUsage(command ? `There is no command ${command}.` : "What is to be done?");
    }
  },
});

function outcomeOf(outcome: Managed, name: string, done: string): OperationOutcome {
  if (outcome.kind === "no-such-user") throw new Failure(`There is no user ${name}.`);
  if (outcome.kind === "last-administrator")
    throw new Failure(`${name} is the only administrator who can log in: promote another user first.`);
  return { json: { username: outcome.username }, lines: [`${outcome.username} ${done}.`] };
}

function listed(
  users: {
    username: string;
    email: string;
    isAdministrator: boolean;
    isModerator: boolean;
    isWriter: boolean;
    isDisabled: boolean;
  }[],
): OperationOutcome {
  const lines = users.map(({ username, email, isAdministrator, isModerator, isWriter, isDisabled }) =>
    [
      username,
      email,
      isAdministrator && "administrator",
      isModerator && "moderator",
      isWriter && "writer",
      isDisabled && "disabled",
    ]
      .filter(Boolean)
      .join("  "),
  );
  return { json: { users }, lines: lines.length > 0 ? lines : ["There are no users."] };
}
