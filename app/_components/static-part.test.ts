import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { currentLocale, requestTarget, runWithRequest, scriptNonce } from "@/lib/request/current-request";
import { provideStaticMarkup } from "@/lib/request/static-markup";
import { StaticPart } from "./static-part";

beforeAll(() => provideStaticMarkup(renderToStaticMarkup));

const response = new ServerResponse(new IncomingMessage(new Socket()));
const inRequest = <T>(locale: "en" | "fa", work: () => T) =>
  runWithRequest(
    { id: "1", clientAddress: "192.0.2.1", locale, target: "/posts/mine", nonce: "c2VjcmV0", response },
    work,
  );

function partOf<Props extends object>(
  of: (props: Props) => React.ReactNode,
  items: React.ComponentProps<typeof StaticPart<Props>>["items"],
): string {
  return renderToStaticMarkup(createElement(StaticPart<Props>, { as: "ol", className: "list", of, items }));
}

test("has the HTML of its components, with texts escaped", () => {
  const Item = ({ text }: { text: string }) => createElement("li", { title: text }, text);
  const [one, other] = [{ text: `<script>alert("1")</script>` }, { text: "a & b" }];
  expect(partOf(Item, [one, other])).toBe(
    renderToStaticMarkup(
      createElement("ol", { className: "list" }, createElement(Item, one), createElement(Item, other)),
    ),
  );
});

test("renders once for the same properties and language", () => {
  const rendered: string[] = [];
  const Item = ({ id }: { id: number }) => {
    rendered.push(`${id} ${currentLocale()}`);
    return createElement("li", null, id);
  };
  for (const locale of ["en", "en", "fa"] as const)
    inRequest(locale, () => partOf(Item, [{ id: 1 }, { id: 2 }]));
  expect(rendered).toEqual(["1 en", "2 en", "1 fa", "2 fa"]);
});

test("tells two components with the same properties apart", () => {
  const One = ({ id }: { id: number }) => createElement("li", null, `one ${id}`);
  const Other = ({ id }: { id: number }) => createElement("li", null, `other ${id}`);
  expect(partOf(One, [{ id: 1 }])).toContain("one 1");
  expect(partOf(Other, [{ id: 1 }])).toContain("other 1");
});

test("shows nothing of the request in which it was rendered first", () => {
  const Item = () => createElement("li", null, `${requestTarget()} ${scriptNonce()} ${currentLocale()}`);
  expect(inRequest("fa", () => partOf(Item, [{}]))).toContain(">/  fa<");
  expect(inRequest("fa", () => scriptNonce())).toBe("c2VjcmV0");
});
