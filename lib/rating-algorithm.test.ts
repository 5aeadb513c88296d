import { expect, test } from "vitest";
import { algorithmNames } from "./algorithms.ts";
import { ratingAlgorithm, ratingSettings } from "./rating-algorithm.ts";
import { parseSettings } from "./settings/env.ts";

test.each(algorithmNames)("The settings named for %s are those that it is made of", (name) => {
  const read = new Set<string>();
  for (const FIXED_WINDOW_ANCHOR of ["first", "clock", "calendar-day"]) {
    const settings = new Proxy(parseSettings({ FIXED_WINDOW_ANCHOR }), {
      get(target, key) {
        read.add(String(key));
        return Reflect.get(target, key);
      },
    });
    ratingAlgorithm(settings, name);
  }
  expect([...read].toSorted()).toEqual([...ratingSettings[name]].toSorted());
});
