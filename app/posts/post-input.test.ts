import { expect, test } from "vitest";
import { postInput } from "./post-input";

const scheduled = Date.UTC(2190, 0, 1, 9, 30, 45);

function sent(draft: string, publishAt = "2190-01-01T09:30") {
  const form = new FormData();
  form.set("title", "Water");
  form.set("publishAt", publishAt);
  form.set("draft", draft);
  const input = postInput(form, scheduled);
  return { draft: input.draft, publishAt: input.publishAt };
}

test("the first button of a scheduled post's form keeps the date that the form showed", () => {
  expect(sent("keep")).toEqual({ draft: undefined, publishAt: undefined });
});

test("it saves another date, and none", () => {
  expect(sent("keep", "2190-01-02T09:30")).toEqual({ draft: undefined, publishAt: "2190-01-02T09:30Z" });
  expect(sent("keep", "")).toEqual({ draft: undefined, publishAt: "" });
});

test("the buttons to publish now and to save a draft leave the date out", () => {
  for (const date of ["2190-01-01T09:30", "2190-01-02T09:30"]) {
    expect(sent("now", date)).toEqual({ draft: false, publishAt: undefined });
    expect(sent("true", date)).toEqual({ draft: true, publishAt: undefined });
  }
});

test("the button that publishes a draft sends its date", () => {
  expect(sent("false", "2190-01-02T09:30")).toEqual({ draft: false, publishAt: "2190-01-02T09:30Z" });
});
