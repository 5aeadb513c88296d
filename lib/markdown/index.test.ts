import fc from "fast-check";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { fragments, intricateText, intricateTexts } from "../../testing/intricate-texts.ts";
import { createRenderer, type RendererSettings } from "./index.ts";

/** So long that a busy machine ends no text. */
const wallMaximumMs = 600_000;

function newRenderer(settings: RendererSettings) {
  const renderer = createRenderer({ wallMaximumMs, ...settings });
  onTestFinished(() => renderer.close());
  return renderer;
}

const words = {
  kind: "rendered",
  html: "<p>Words.</p>",
  summary: { detectedLang: null, excerpt: "Words.", readingMinutes: 1 },
};

test("continues other work while a text is rendered, ends it at its deadline, and renders the next", async () => {
  const { render } = newRenderer({ threads: 1 });
  let isOver = false;
  const outcome = render(intricateText(), "a").finally(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    turns += 1;
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(await outcome).toEqual({ kind: "too-intricate" });
  expect(turns).toBeGreaterThan(10);
  expect(await render("Words.", "a")).toEqual(words);
});

describe("with a shorter deadline", () => {
  const length = 8_000;
  const renderer = createRenderer({ threads: 1, cpuMaximumMs: 150, wallMaximumMs });
  afterAll(() => renderer.close());

  test.each(intricateTexts(length))("survives %s", async (_, text) => {
    const { kind } = await renderer.render(text, "a");
    expect(kind).toMatch(/^(rendered|too-intricate)$/);
    expect(await renderer.render("Words.", "a")).toEqual(words);
  });

  test("survives texts of repeated fragments", async () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom(...fragments), fc.constantFrom(1, 2, 50, 2_000)), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.map(([fragment, times]) => fragment.repeat(times)).join(""))
      .map((part) => part.repeat(Math.ceil(length / part.length)).slice(0, length));
    await fc.assert(
      fc.asyncProperty(text, async (generated) => {
        const { kind } = await renderer.render(generated, "a");
        expect(kind).toMatch(/^(rendered|too-intricate)$/);
      }),
      { seed: 13, numRuns: 25, endOnFailure: true },
    );
    expect(await renderer.render("Words.", "a")).toEqual(words);
  });
});

test("finds a text too intricate when it takes more memory than a thread may have", async () => {
  const { render } = newRenderer({ threads: 1, cpuMaximumMs: Number.POSITIVE_INFINITY });
  const table = `|${"a|".repeat(5_000)}\n|${"-|".repeat(5_000)}\n${"|\n".repeat(5_000)}`;
  expect(await render(table, "a")).toEqual({ kind: "too-intricate" });
  expect(await render("Words.", "a")).toEqual(words);
});

test("finds a text too intricate when its HTML would be very long", async () => {
  const { render } = newRenderer({ cpuMaximumMs: Number.POSITIVE_INFINITY });
  const table = `|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${"|\n".repeat(500)}`;
  expect(await render(table, "a")).toEqual({ kind: "too-intricate" });
});

test("gives up colours before it finds a text too intricate", async () => {
  const { render } = newRenderer({ cpuMaximumMs: Number.POSITIVE_INFINITY });
  const numbers = "[1,2,3],\n".repeat(2_200);
  const matrices = `\`\`\`json\n${numbers}\`\`\`\n\n`.repeat(2);
  expect(await render(matrices, "a")).toMatchObject({ kind: "rendered" });
  const table = `|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${"|\n".repeat(320)}`;
  const coloured = `\`\`\`json\n${"[1,2,3],\n".repeat(1_000)}\`\`\`\n\n${table}`;
  expect(await render(table, "a")).toMatchObject({ kind: "rendered" });
  const rendering = await render(coloured, "a");
  expect(rendering).toMatchObject({ kind: "rendered", html: expect.stringContaining("language-json") });
  expect(rendering).not.toMatchObject({ html: expect.stringContaining("hljs-number") });
});

test("is busy, and does not call a text too intricate, when the machine gives the thread no time", async () => {
  const { render } = newRenderer({ threads: 1, cpuMaximumMs: Number.POSITIVE_INFINITY, wallMaximumMs: 1 });
  expect(await render(intricateText(), "a")).toEqual({ kind: "busy" });
});

test("lets owners take turns, and is busy for one with too many texts", async () => {
  const { render } = newRenderer({ threads: 1, textsPerOwner: 3 });
  const done: string[] = [];
  const text = (owner: string, name: string) =>
    render(name, owner).then(({ kind }) => void done.push(`${name} ${kind}`));
  await Promise.all([text("a", "a1"), text("a", "a2"), text("a", "a3"), text("a", "a4"), text("b", "b1")]);
  expect(done).toEqual(["a4 busy", "a1 rendered", "b1 rendered", "a2 rendered", "a3 rendered"]);
});

test("is busy for all owners when too many texts wait, until one is rendered", async () => {
  const { render } = newRenderer({ threads: 1, textsMaximum: 2 });
  const [first, second, third] = ["a", "b", "c"].map((owner) => render("Words.", owner));
  expect(await third).toEqual({ kind: "busy" });
  expect([await first, await second]).toEqual([words, words]);
  expect(await render("Words.", "c")).toEqual(words);
});

test("drops the newest text of the owner with most, not a newcomer's, when too many texts wait", async () => {
  const { render } = newRenderer({ threads: 1, textsMaximum: 4 });
  const kinds = (["a", "a", "a", "b"] as const).map(async (owner) => (await render("Words.", owner)).kind);
  const newcomers = ["c", "d", "e"].map(async (owner) => (await render("Words.", owner)).kind);
  expect(await Promise.all(newcomers)).toEqual(["rendered", "rendered", "busy"]);
  expect(await Promise.all(kinds)).toEqual(["rendered", "busy", "busy", "rendered"]);
  expect(await render("Words.", "a")).toEqual(words);
});

test("a text without an owner takes no other's place, and is refused while half of the places are taken", async () => {
  const { render } = newRenderer({ threads: 1, textsMaximum: 4 });
  const kinds = (["a", "a", "a", "b"] as const).map(async (owner) => (await render("Words.", owner)).kind);
  expect(await render("Words.", null)).toEqual({ kind: "busy" });
  expect(await Promise.all(kinds)).toEqual(["rendered", "rendered", "rendered", "rendered"]);
  const one = render("Words.", "a");
  expect(await render("Words.", null)).toEqual(words);
  expect(await one).toEqual(words);
});

test("rejects its pending texts when it is closed", async () => {
  const renderer = createRenderer({ threads: 1 });
  const outcome = renderer.render(intricateText(), "a");
  outcome.catch(() => {});
  await renderer.close();
  await expect(outcome).rejects.toThrow(/closed|ended/);
});
