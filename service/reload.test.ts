/** Changes of the configuration's files while the process runs. */
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LimiterService } from "../testing/limiter-service.ts";
import { runningRequester, runningService } from "../testing/running-service.ts";
import type { Requester } from "../testing/zeromq-requester.ts";

/** A configuration all of whose parts contain its letter. */
function edition(letter: string, further: Record<string, unknown> = {}) {
  const policy = { algorithm: "fixed-window", limit: letter.charCodeAt(0) * 10_000, windowMs: 3_600_000 };
  const rule = { name: `rule ${letter}`, policy: `policy ${letter}`, key: ["user"] };
  const text = { policies: { [rule.policy]: policy }, default: rule.policy, store: "memory", rules: [rule] };
  return JSON.stringify({ ...text, ...further }, null, 2);
}

async function started(text = edition("A"), files: Record<string, string> = {}) {
  const service = await runningService({ configuration: text, files });
  return { service, requester: runningRequester(service.zmq) };
}

/** Writes a file as careful editors do: a new one takes the old one's name. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const ruleOf = async (requester: Requester) =>
  (await requester.request({ verb: "peek", fields: { user: "ada" } })).rule;
const isTakenUp = (requester: Requester, letter: string) =>
  expect.poll(() => ruleOf(requester)).toBe(`rule ${letter}`);
/**
 * The logged errors, except those of a file that was briefly empty or missing.
 * On a busy machine its writer may leave it so for long enough to be reported.
 */
const errorsOf = (service: LimiterService) =>
  service
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":50') && !/is empty|there is no such file/.test(line));

test("takes up a change, however the file is written", async () => {
  const { service, requester } = await started();
  const file = service.configurationFile;
  expect(await ruleOf(requester)).toBe("rule A");
  writeFileSync(file, edition("B"));
  await isTakenUp(requester, "B");
  replace(file, edition("C"));
  await isTakenUp(requester, "C");
  rmSync(file);
  writeFileSync(file, edition("D"));
  await isTakenUp(requester, "D");
  // As long as before, and of the same time.
  const at = new Date();
  utimesSync(file, at, at);
  writeFileSync(file, edition("E"));
  utimesSync(file, at, at);
  await isTakenUp(requester, "E");
  expect(errorsOf(service)).toEqual([]);
});

test("takes up a swap of symbolic links, as Kubernetes mounts a configuration", async () => {
  const { service, requester } = await started();
  const { folder, configurationFile } = service;
  const mount = (letter: string) => {
    mkdirSync(join(folder, `..${letter}`));
    writeFileSync(join(folder, `..${letter}`, "limiter.json"), edition(letter));
    symlinkSync(`..${letter}`, join(folder, "..new"));
    renameSync(join(folder, "..new"), join(folder, "..data"));
  };
  mount("B");
  symlinkSync(join("..data", "limiter.json"), join(folder, "link"));
  renameSync(join(folder, "link"), configurationFile);
  await isTakenUp(requester, "B");
  mount("C");
  await isTakenUp(requester, "C");
});

test("reads the file again on SIGHUP", async () => {
  const { service, requester } = await started();
  service.signal("SIGHUP");
  await service.printed(/has changed and was reloaded/);
  expect(await ruleOf(requester)).toBe("rule A");
});

test("keeps the counts of unchanged policies", async () => {
  const { service, requester } = await started();
  await requester.request({ verb: "consume", fields: { user: "ada" } });
  const { remaining } = await requester.request({ verb: "peek", fields: { user: "ada" } });
  const rules = [{ name: "rule A", policy: "policy A", key: ["user"], tell: "Later." }];
  writeFileSync(
    service.configurationFile,
    edition("A", { rules: [...rules, { name: "new", answer: "allow" }] }),
  );
  await service.printed(/has changed and was reloaded/);
  const after = await requester.request({ verb: "peek", fields: { user: "ada" } });
  expect(after.rule).toBe("new");
  const { rules: all } = await requester.request({ verb: "rules", fields: { user: "ada" } });
  expect(all).toMatchObject([{ rule: "rule A", remaining }, { rule: "new" }]);
});

test("takes up a file of values that changes, goes and comes back", async () => {
  const rules = [{ name: "blocked", when: { user: { inFile: "blocked.txt" } }, answer: "deny" }];
  const { service, requester } = await started(edition("A", { rules }), { "blocked.txt": "ada\n" });
  const file = join(service.folder, "blocked.txt");
  const allowed = async (user: string) =>
    (await requester.request({ verb: "peek", fields: { user } })).allowed;
  expect([await allowed("ada"), await allowed("grace")]).toEqual([false, true]);
  writeFileSync(file, "# changed\ngrace\n");
  await expect.poll(() => allowed("grace")).toBe(false);
  expect(await allowed("ada")).toBe(true);
  rmSync(file);
  const line = await service.printed(/blocked.txt cannot be read/);
  expect(line).toMatch(
    /limiter.json:\d+: rules\[0\].when.user.inFile: .*there is no such file \(the old configuration stays in force\)/,
  );
  expect([await allowed("ada"), await allowed("grace")]).toEqual([true, false]);
  replace(file, "ada\n");
  await expect.poll(() => allowed("ada")).toBe(false);
});

test("keeps the old configuration on a bad edit, logs it once with its lines, and takes up the next good one", async () => {
  const { service, requester } = await started();
  const bad = edition("B", { default: "unknown" }).replace('"limit": 660000', '"limit": -1');
  replace(service.configurationFile, bad);
  await service.printed(/policies.policy B.limit|limiter.json:5/);
  await service.printed(/default: must be the name of a policy/);
  expect(errorsOf(service)).toHaveLength(2);
  expect(errorsOf(service)[0]).toMatch(/limiter.json:5: .*limit: must be a finite number above 0, but is -1/);
  expect(await ruleOf(requester)).toBe("rule A");
  replace(service.configurationFile, '{"policies": {\n');
  await service.printed(/limiter.json:1: a closing } is missing at the end/);
  expect(await ruleOf(requester)).toBe("rule A");
  const figures = await (await fetch(`${service.http}/metrics`)).text();
  expect(figures).toContain('limiter_reloads_total{outcome="refused"} 2');
  writeFileSync(service.configurationFile, edition("C"));
  await isTakenUp(requester, "C");
});

test("takes up nothing of an edit that changes the store", async () => {
  const { service, requester } = await started();
  writeFileSync(service.configurationFile, edition("B", { store: "sqlite:states.db" }));
  expect(await service.printed(/store/)).toMatch(
    /limiter.json:10: store: cannot change while the service runs: start it again, .*\(the old configuration stays in force\)/,
  );
  expect(await ruleOf(requester)).toBe("rule A");
});

test("logs a missing file once, and keeps the configuration", async () => {
  const { service, requester } = await started();
  rmSync(service.configurationFile);
  await service.printed(
    /limiter.json: cannot be read: there is no such file \(the old configuration stays in force\)/,
  );
  expect(await ruleOf(requester)).toBe("rule A");
  replace(service.configurationFile, edition("B"));
  await isTakenUp(requester, "B");
  expect(service.output().match(/there is no such file/g)).toHaveLength(1);
});

test("answers under load by the whole old or the whole new configuration", async () => {
  const { service, requester } = await started();
  const letters = [..."ABCDEFGH"];
  let isOver = false;
  const answered = new Map<string, number>();
  const failures: unknown[] = [];
  async function send(worker: number): Promise<void> {
    let newest = "A";
    while (!isOver) {
      const answer = await requester.request({ verb: "consume", fields: { user: `${worker}` } });
      const letter = String(answer.rule).at(-1) ?? "";
      const limit = letter.charCodeAt(0) * 10_000;
      const isWhole = answer.policy === `policy ${letter}` && answer.limit === limit;
      // A client that has seen the new one never sees the old again.
      if (!isWhole || letter < newest) failures.push({ newest, answer });
      newest = letter;
      answered.set(letter, (answered.get(letter) ?? 0) + 1);
    }
  }
  const workers = Array.from({ length: 50 }, (_, worker) => send(worker));
  for (const [index, letter] of letters.entries()) {
    const write = index % 2 === 0 ? replace : writeFileSync;
    write(service.configurationFile, edition(letter));
    await expect.poll(() => answered.get(letter)).toBeGreaterThan(100);
  }
  isOver = true;
  await Promise.all(workers);
  expect(failures).toEqual([]);
  expect([...answered.keys()]).toEqual(letters);
  expect(requester.inFlight()).toBe(0);
  expect(errorsOf(service)).toEqual([]);
});
