import { describe, expect, onTestFinished, test } from "vitest";
import { address, password, sessionFor } from "../../testing/accounts.ts";
import { newDatabases } from "../../testing/both-databases.ts";
import { addPost, addUser, contextOf, morning } from "../../testing/content.ts";
import { temporaryDatabase } from "../../testing/database.ts";
import { shownSettings } from "../api/administration.ts";
import { encrypt } from "../auth/encryption.ts";
import { authSecret } from "../auth/secret.ts";
import { derivedKey } from "../auth/token.ts";
import { logOn } from "../logging/log.ts";
import { siteMail } from "../mail/site-mail.ts";
import { passwordHasher } from "../users/password.ts";
import { changeMailSettings, changeSettings, type SettingTexts } from "./change.ts";
import { settingErrors } from "./error-text.ts";
import { invalidSiteSettings, refreshSiteSettings, siteMailServer, siteSettings } from "./index.ts";
import { siteDefaults } from "./schema.ts";

const hashed = passwordHasher().hash(password);

describe.each(newDatabases)("settings on %s", (_, open) => {
  async function setting() {
    const empty = temporaryDatabase();
    const database = await open();
    onTestFinished(() => refreshSiteSettings(empty));
    const actor = await addUser(database, "alder", { isAdministrator: true });
    const change = (texts: SettingTexts, by = actor, shown: SettingTexts = {}) =>
      changeSettings({ database }, { actor: by, texts, shown, now: morning });
    const known = await hashed;
    if (known.kind !== "hashed") return expect.fail(known.kind);
    await database.users.setPasswordAndEndSessions(actor.id, known.hash);
    const context = contextOf(database);
    /** The same for settings of mail, in a session. */
    const changeMail = async (texts: SettingTexts, currentPassword: string | undefined = password) => {
      const session = await sessionFor(context, actor);
      const request = { session, input: { currentPassword }, address };
      return changeMailSettings(context, { ...request, texts, now: morning });
    };
    return { database, actor, change, changeMail };
  }

  test("take effect immediately in the process that saves them, and are on record", async () => {
    const { database, change } = await setting();
    expect(await change({ SITE_NAME: " Still Water ", FOOTER_LINKS: "A /a\r\nB /b\r\n" })).toEqual({
      kind: "saved",
      changed: ["SITE_NAME", "FOOTER_LINKS"],
    });
    expect(siteSettings()).toMatchObject({
      SITE_NAME: "Still Water",
      FOOTER_LINKS: [
        { label: "A", address: "/a" },
        { label: "B", address: "/b" },
      ],
    });
    expect(await database.accountChanges.latest(9, undefined, "all")).toMatchObject([
      { kind: "change-settings", by: "alder", why: "SITE_NAME, FOOTER_LINKS" },
    ]);
    expect(await change({ SITE_NAME: "Still Water" })).toEqual({ kind: "saved", changed: [] });
    expect(await database.accountChanges.latest(9, undefined, "all")).toHaveLength(1);
  });

  test("return to their defaults when emptied, and then nothing is saved", async () => {
    const { database, change } = await setting();
    await change({ SITE_NAME: "Still Water", SITE_TAGLINE: "About water" });
    await change({ SITE_NAME: "", SITE_TAGLINE: " ", ACCENT_COLOUR: "#1D5F8C", REGISTRATION: "open" });
    expect(await database.siteSettings.all()).toEqual(new Map());
    expect(siteSettings()).toEqual(siteDefaults);
  });

  test("are saved together or not at all", async () => {
    const { database, change } = await setting();
    expect(
      await change({ SITE_NAME: "Still Water", ACCENT_COLOUR: "#eeeeee", REGISTRATION: "by-letter" }),
    ).toEqual({
      kind: "invalid",
      invalid: { ACCENT_COLOUR: "#eeeeee", REGISTRATION: "by-letter" },
      outdated: {},
    });
    expect(await database.siteSettings.all()).toEqual(new Map());
  });

  test("refuse a language of the site that readers cannot choose", async () => {
    const { database, change } = await setting();
    expect(await change({ SITE_LANGUAGE: "en", SITE_LANGUAGES: "fa" })).toEqual({
      kind: "invalid",
      invalid: { SITE_LANGUAGES: "fa" },
      outdated: {},
    });
    expect(await change({ SITE_LANGUAGES: "fa" })).toMatchObject({ kind: "invalid" });
    expect(await change({ SITE_LANGUAGE: "fa", SITE_LANGUAGES: " fa " })).toMatchObject({ kind: "saved" });
    expect(await change({ SITE_LANGUAGE: "en" })).toMatchObject({ invalid: { SITE_LANGUAGE: "en" } });
    expect(await change({ SITE_LANGUAGES: "fa, en" })).toMatchObject({ changed: ["SITE_LANGUAGES"] });
    expect(await database.siteSettings.all()).toEqual(new Map([["SITE_LANGUAGE", "fa"]]));
  });

  test("let all earlier writers write on, also after a post that did not note it", async () => {
    const { database, change } = await setting();
    const author = await addUser(database, "birch");
    await addPost(database, author);
    await database.transaction(() => database.users.setWriter(author.id, false));
    const isWriter = async () => (await database.users.byId(author.id))?.isWriter;
    await change({ SITE_NAME: "Still Water" });
    expect(await isWriter()).toBe(false);
    await change({ WHO_MAY_WRITE: "approved" });
    expect(await isWriter()).toBe(true);
  });

  test("are changed by administrators only", async () => {
    const { database, change } = await setting();
    const moderator = await addUser(database, "birch", { isModerator: true });
    const claimed = { ...moderator, isAdministrator: true };
    const withoutFactor = await addUser(database, "cedar", { isAdministrator: true });
    for (const actor of [moderator, claimed, { ...withoutFactor, lacksSecondFactor: true as const }])
      expect(await change({ SITE_NAME: "x" }, actor)).toEqual({ kind: "forbidden" });
    expect(await database.siteSettings.all()).toEqual(new Map());
  });

  test("of an old form do not undo another administrator's later change", async () => {
    const { database, change } = await setting();
    const shown = { SITE_NAME: "Weir", REGISTRATION: "open", FOOTER_LINKS: "A /a\nB /b" };
    const birch = await addUser(database, "birch", { isAdministrator: true });
    await change({ REGISTRATION: "closed", FOOTER_LINKS: "" }, birch);
    const texts = { SITE_NAME: "Still Water", REGISTRATION: "open", FOOTER_LINKS: "A /a\r\nB /b\r\n" };
    expect(await change(texts, undefined, shown)).toEqual({ kind: "saved", changed: ["SITE_NAME"] });
    expect(siteSettings()).toMatchObject({ REGISTRATION: "closed", FOOTER_LINKS: [] });

    expect(await change({ SITE_NAME: "Pond", REGISTRATION: "invitation" }, birch, shown)).toEqual({
      kind: "invalid",
      invalid: {},
      outdated: { SITE_NAME: "Still Water", REGISTRATION: "closed" },
    });
    const known = { SITE_NAME: "Still Water", REGISTRATION: "closed" };
    expect(await change({ SITE_NAME: "Pond", REGISTRATION: "invitation" }, birch, known)).toMatchObject({
      kind: "saved",
    });
    expect(siteSettings()).toMatchObject({ SITE_NAME: "Pond", REGISTRATION: "invitation" });
  });

  test("changed by two administrators at once are the first one's, and the second learns of it", async () => {
    const { database, change } = await setting();
    const birch = await addUser(database, "birch", { isAdministrator: true });
    const shown = { SITE_NAME: "Weir" };
    const outcomes = await Promise.all([
      change({ SITE_NAME: "Still Water" }, undefined, shown),
      change({ SITE_NAME: "Pond" }, birch, shown),
    ]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["invalid", "saved"]);
    const { SITE_NAME } = siteSettings();
    expect(outcomes).toContainEqual({ kind: "invalid", invalid: {}, outdated: { SITE_NAME } });
  });

  test("keep the mail server encrypted, and a mistake in it does not show it", async () => {
    const { database, changeMail } = await setting();
    const url = "smtps://weir%40example.org:hush%2Fhush@mail.example.org";
    expect(await changeMail({ MAIL_URL: url, MAIL_FROM: "The Blog <blog@example.org>" })).toEqual({
      kind: "saved",
      changed: ["MAIL_FROM", "MAIL_URL"],
    });
    expect(siteMail()).toMatchObject({
      from: { name: "The Blog", address: "blog@example.org" },
      smtp: { host: "mail.example.org", credentials: { user: "weir@example.org", password: "hush/hush" } },
    });
    const kept = JSON.stringify([
      [...(await database.siteSettings.all())],
      await database.accountChanges.latest(9, undefined, "all"),
      shownSettings(),
    ]);
    expect(kept).not.toMatch(/hush|weir%40/);
    const outcome = await changeMail({
      MAIL_URL: "smtp://weir:silence@mail.example.org?pool",
      MAIL_FROM: "blog",
    });
    if (outcome.kind !== "invalid") return expect.fail(outcome.kind);
    expect(Object.keys(outcome.invalid)).toEqual(["MAIL_FROM", "MAIL_URL"]);
    expect(JSON.stringify(settingErrors(outcome))).not.toContain("silence");
    expect(siteMail()?.smtp.host).toBe("mail.example.org");

    await changeMail({ MAIL_FROM: "" });
    expect([siteMail(), siteMailServer()]).toMatchObject([null, { host: "mail.example.org" }]);
    await changeMail({ MAIL_URL: " " });
    expect(siteMailServer()).toBeUndefined();
    expect(await database.siteSettings.all()).toEqual(new Map());
  });

  test("of mail need the password of the administrator, and no other settings change without it", async () => {
    const { database, change, changeMail } = await setting();
    const texts = { MAIL_URL: "smtp://localhost:1025", SITE_NAME: "Pond" };
    for (const some of [texts, { MAIL_URL: "" }, { MAIL_FROM: "blog@example.org" }])
      expect(await change(some)).toEqual({ kind: "password-required" });
    const wrong = { kind: "password-refused", outcome: { kind: "wrong" } };
    expect(await changeMail(texts, "a guess")).toEqual(wrong);
    expect(await changeMail(texts, "")).toMatchObject({ outcome: { kind: "invalid" } });
    expect(await database.siteSettings.all()).toEqual(new Map());
    expect(await changeMail(texts)).toMatchObject({ kind: "saved" });
    expect(siteMailServer()).toMatchObject({ host: "localhost" });
    for (let guess = 0; guess < 10; guess += 1) expect(await changeMail(texts, "a guess")).toEqual(wrong);
    expect(await changeMail(texts, "a guess")).toMatchObject({ outcome: { kind: "limited" } });
  });

  test("hide the password of a saved mail server in the log, in a process that only reads it, too", async () => {
    const { database } = await setting();
    const lines: string[] = [];
    const log = logOn({ write: (line) => void lines.push(line) });
    const url = "smtps://weir:deep%2Fwater@mail.example.org";
    const MAIL_URL = encrypt(url, derivedKey(authSecret(), "mail server"));
    await database.siteSettings.save(new Map([["MAIL_URL", MAIL_URL]]));
    await refreshSiteSettings(database);
    log.error("535 deep%2Fwater is not deep/water");
    expect(lines.join()).toContain("535 [secret] is not [secret]");
  });

  test("with a mail server of another AUTH_SECRET send no mail, until it is entered again", async () => {
    const { database, changeMail } = await setting();
    const MAIL_URL = encrypt("smtp://localhost:1025", Buffer.alloc(32, "another secret"));
    await database.siteSettings.save(new Map(Object.entries({ MAIL_URL, MAIL_FROM: "blog@example.org" })));
    await refreshSiteSettings(database);
    expect([siteMail(), siteMailServer()]).toEqual([null, "unreadable"]);
    await changeMail({ MAIL_URL: "smtp://localhost:1025" });
    expect(siteMail()?.smtp).toMatchObject({ host: "localhost", port: 1025 });
  });

  test("with bad saved values are mended by saving the form as it is", async () => {
    const { database, change } = await setting();
    await database.siteSettings.save(new Map([["REGISTRATION", "Invitation"]]));
    await refreshSiteSettings(database);
    expect(invalidSiteSettings()).toEqual(["REGISTRATION"]);
    const shown = { REGISTRATION: "closed" };
    expect(await change(shown, undefined, shown)).toEqual({ kind: "saved", changed: ["REGISTRATION"] });
    expect(invalidSiteSettings()).toEqual([]);
    expect(siteSettings().REGISTRATION).toBe("closed");
  });
});
