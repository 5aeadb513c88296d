import { expect, test } from "vitest";
import { readRequest } from "./read-request.ts";

test("fills in the verb and keeps the sent fields", () => {
  expect(readRequest({ id: 7, key: "x", fields: { user: "ada", "": undefined } })).toHaveProperty("error");
  expect(readRequest({ id: 7, cost: 2, fields: { user: "ada", size: 5, isNew: true } })).toEqual({
    id: 7,
    verb: "consume",
    cost: 2,
    fields: { user: "ada", size: 5, isNew: true },
  });
});

test("takes the verb of the address, and refuses another one in the request", () => {
  expect(readRequest({}, "peek")).toEqual({ verb: "peek" });
  expect(readRequest({ maxWaitMs: 5 }, "wait")).toEqual({ verb: "wait", maxWaitMs: 5 });
  expect(readRequest(5, "wait")).toHaveProperty("error");
  expect(readRequest({ verb: "consume" }, "peek")).toEqual({
    errors: { verb: ["must be peek, as in the address, or be left out"] },
    error: "verb: must be peek, as in the address, or be left out",
  });
});

test.each([
  [
    { verb: "go", cost: 0 },
    "verb: must be one of consume, peek, refund, wait, reset, rules; cost: must be above 0",
  ],
  [
    { keys: "x", maxwaitMs: 5 },
    'a request knows no "keys" and no "maxwaitMs". Did you mean key and maxWaitMs? There are id, verb, policy, fields, key, cost, maxWaitMs',
  ],
  [{ unlike: 1 }, 'a request knows no "unlike". There are id, verb, policy, fields, key, cost, maxWaitMs'],
  [[], 'a request must be an object such as {"verb": "consume", "key": "user 17"}'],
  [5, 'a request must be an object such as {"verb": "consume", "key": "user 17"}'],
  [{ id: "" }, "id: must be text of 1 to 128 characters, or a whole number"],
  [{ fields: { user: null } }, "fields.user: must be text, a number, true or false"],
  [{ policy: "demo", fields: {} }, "policy: must be left out: rules choose by fields"],
  [{ key: "x", fields: {} }, "key: must be left out: rules choose by fields"],
  [{ verb: "rules", policy: "demo" }, "policy: must be left out: rules choose by fields"],
  [{ verb: "wait" }, "maxWaitMs: is needed with wait: how long it may take, in milliseconds"],
  [{ maxWaitMs: 5 }, "maxWaitMs: is for the verb wait"],
  [{ cost: 1e308 }, "cost: must be at most 9007199254740991"],
  [{ maxWaitMs: 600_001 }, "maxWaitMs: must be at most 600000"],
  [JSON.parse('{"fields": {"__proto__": "x"}}'), 'fields: "__proto__" cannot be the name of a field'],
])("refuses %j: %s", (value, fault) => {
  expect(readRequest(value)).toMatchObject({ error: fault });
});
