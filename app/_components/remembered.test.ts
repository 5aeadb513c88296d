import { expect, test } from "vitest";
import { recent, remembered } from "./remembered";

function recording(maximumCharacters: number) {
  const made: string[] = [];
  const upperCase = remembered(maximumCharacters, (text) => {
    made.push(text);
    return text.toUpperCase();
  });
  return { made, upperCase };
}

test("A text is worked out once, and another is another", () => {
  const { made, upperCase } = recording(10);
  expect(["a", "b", "a"].map(upperCase)).toEqual(["A", "B", "A"]);
  expect(made).toEqual(["a", "b"]);
});

test("Of more characters than may be kept, those longest unused are worked out again", () => {
  const { made, upperCase } = recording(6);
  for (const text of ["aaa", "bbb", "aaa", "cc"]) upperCase(text);
  made.length = 0;
  for (const text of ["aaa", "cc", "bbb"]) upperCase(text);
  expect(made).toEqual(["bbb"]);
});

test("A text that is too long to be kept takes no other's place for good", () => {
  const { made, upperCase } = recording(4);
  expect(upperCase("too long")).toBe("TOO LONG");
  upperCase("a");
  made.length = 0;
  upperCase("a");
  upperCase("too long");
  expect(made).toEqual(["too long"]);
});

test("Of results that count one each, only so many are kept", () => {
  const recall = recent<string>(2, () => 1);
  const made: string[] = [];
  const ask = (key: string) =>
    recall(key, () => {
      made.push(key);
      return key;
    });
  for (const key of ["a", "b", "a", "c", "a", "b"]) expect(ask(key)).toBe(key);
  expect(made).toEqual(["a", "b", "c", "b"]);
});
