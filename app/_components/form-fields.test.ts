import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FormContext, type FormState } from "./form";
import { Choices, Field, Select } from "./form-fields";

const links = { label: "Links", name: "links", defaultValue: "Water /water", rows: 4 };
const theme = {
  label: "Theme",
  name: "theme",
  defaultValue: "light",
  options: ["light", "dark"].map((value) => ({ value, label: value })),
};
const scopes = {
  legend: "Scopes",
  name: "scopes",
  type: "checkbox" as const,
  chosen: "read",
  choices: ["read", "write"].map((value) => ({ value, label: value })),
};

function markup(field: React.ReactNode, state: FormState): string {
  const context = {
    state,
    pending: false,
    answers: 0,
    pressed: null,
    isChecked: false,
    submitAfter: () => {},
  };
  return renderToStaticMarkup(createElement(FormContext, { value: context }, field));
}

test("a field that shows a refused value has the saved one beside it", () => {
  const state = { errors: { links: ["It needs an address."] }, values: { links: "Water", theme: "dark" } };
  const area = markup(createElement(Field, links), state);
  expect(area).toContain(">Water</textarea>");
  expect(area).toContain(' data-saved="Water /water"');
  expect(markup(createElement(Select, theme), state)).toContain(' data-saved="light"');
  const { defaultValue: _, ...empty } = links;
  expect(markup(createElement(Field, empty), state)).toContain(' data-saved=""');
});

test("a box whose choice was refused has the saved choice beside it", () => {
  const boxes = markup(createElement(Choices, scopes), { values: { scopes: "write" } });
  expect(boxes).toMatch(/data-saved="true"[^>]* value="read"/);
  expect(boxes).toMatch(/data-saved="false"[^>]* value="write"/);
});

test("a field that shows its saved value has no other beside it", () => {
  for (const state of [{}, { values: { links: "Water /water", theme: "light", scopes: "read" } }])
    for (const field of [
      createElement(Field, links),
      createElement(Select, theme),
      createElement(Choices, scopes),
    ])
      expect(markup(field, state)).not.toContain("data-saved");
});
