import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { algorithmNames } from "../limiter/index.ts";
import { parseSettings } from "../settings/env.ts";
import { isShort, labPath, labQuery, type SearchParameters, traceNames } from "./address.ts";
import { settingNames, settingTexts } from "./settings.ts";

const settings = settingTexts(parseSettings({}));
const own = { settings, limits: ["rating.post", "rating.user", "rating.change"] };
const fresh = labQuery({}, own);

/** As the framework reads an address. */
function parametersOf(path: string): SearchParameters {
  const parameters: SearchParameters = {};
  const { searchParams } = new URL(path, "http://weir.invalid");
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name);
    parameters[name] = values.length > 1 ? values : values[0];
  }
  return parameters;
}

describe("the lab's address", () => {
  it("has no parameters for the defaults", () => {
    expect(labPath(fresh)).toBe("/lab");
    expect(fresh).toMatchObject({
      trace: "flood",
      rows: algorithmNames,
      limits: [],
      settings: {},
      table: "",
    });
  });

  it("keeps only differences, so that a whole form makes a short link", () => {
    const form = {
      ...settings,
      limit: own.limits,
      table: "",
      trace: "crowd",
      lane: [...algorithmNames],
      post: "",
      times: "1\r\n2",
      from: "",
      to: "30",
      EMA_THRESHOLD: "5",
    };
    const query = labQuery(form, own);
    expect(labPath(query)).toBe("/lab?trace=crowd&to=30&EMA_THRESHOLD=5");
    expect(isShort(form, query)).toBe(false);
  });

  it.each([
    ["/lab?trace=times&times=1%0A2", { trace: "times", times: "1\n2" }],
    ["/lab?trace=post&post=a-slug", { trace: "post", post: "a-slug" }],
    ["/lab?lane=tiered&lane=ema", { rows: ["tiered", "ema"] }],
    ["/lab?limit=rating.post&limit=rating.change", { limits: ["rating.post", "rating.change"] }],
    ["/lab?trace=crowd&table=ema", { table: "ema" }],
    ["/lab?table=site", { table: "site" }],
    [
      "/lab?from=0&to=10&FIXED_WINDOW_LIMIT=5",
      { from: "0", to: "10", settings: { FIXED_WINDOW_LIMIT: "5" } },
    ],
  ])("%s is read, and written again without what may be left out", (path, expected) => {
    const query = labQuery(parametersOf(path), own);
    expect(query).toMatchObject(expected);
    expect(labPath(query)).toBe(path);
    expect(isShort(parametersOf(path), query)).toBe(true);
  });

  it("normalizes line ends to the shortest form", () => {
    const sent = { trace: "times", times: "1\r\n2\r3" };
    expect(labPath(labQuery(sent, own))).toBe("/lab?trace=times&times=1%0A2%0A3");
  });

  it("takes the first of repeated parameters, ignores unknown ones, and shows all rows and limits when none is chosen", () => {
    const query = labQuery(
      {
        trace: ["crowd", "edge"],
        colour: "blue",
        lane: ["none"],
        limit: "none",
        table: "none",
        EMA_THRESHOLD: ["4", "5"],
      },
      own,
    );
    expect(query).toMatchObject({
      trace: "crowd",
      rows: algorithmNames,
      limits: [],
      table: "",
      settings: { EMA_THRESHOLD: "4" },
    });
  });

  it("is stable after one shortening, even for hostile input", () => {
    const plain = ["trace", "lane", "limit", "post", "times", "from", "to", "table", "__proto__", "x"];
    const names = [...plain, ...settingNames];
    const anyValue = fc.oneof(
      fc.constantFrom(...traceNames, ...algorithmNames, ...own.limits, "site", "20", " 20 ", "\r\n1\r2 "),
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.string({ minLength: 90, maxLength: 300 }),
    );
    const anyPairs = fc.array(fc.tuple(fc.constantFrom(...names), anyValue), { maxLength: 12 });
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        const query = labQuery(parametersOf(`/lab?${new URLSearchParams(pairs)}`), own);
        const short = parametersOf(labPath(query));
        const again = labQuery(short, own);
        expect(labPath(again)).toBe(labPath(query));
        expect(isShort(short, again)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
