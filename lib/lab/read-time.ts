/** Reads times as people write them: seconds, milliseconds, or dates with a time. */
import { z } from "zod";

const clockTime = z.iso.datetime({ offset: true, local: true });
const lastMoment = Date.UTC(9999, 11, 31);
/** Larger numbers are milliseconds since 1970, smaller ones a duration. */
export const firstMoment = Date.UTC(1973, 2, 3);

/** No time that people write is longer. */
const partMaximum = 64;

/** Whole milliseconds, or the fault. */
export function millisecondsOf(part: string): number | "notTime" | "negative" | "future" {
  if (part.length > partMaximum) return "notTime";
  const [, digits, unit = ""] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?) ?(s|ms)?$/i.exec(part) ?? [];
  const atMs = digits === undefined ? dateOf(part) : numberOf(Number(digits), unit.toLowerCase());
  if (Number.isNaN(atMs)) return "notTime";
  if (atMs < 0) return "negative";
  if (atMs > lastMoment) return "future";
  return atMs;
}

/** Without a unit: seconds, or milliseconds since 1970 if large enough. */
function numberOf(value: number, unit: string): number {
  const milliseconds = unit === "ms" || (unit === "" && value >= firstMoment);
  return Math.round(milliseconds ? value : value * 1_000);
}

/** Without a zone it is UTC. */
function dateOf(part: string): number {
  const text = part
    .replace(" ", "T")
    .replace(/^\d{4}-\d\d-\d\d$/, "$&T00:00")
    .replace(/T\d\d:\d\d(?!:)/, "$&:00");
  if (!clockTime.safeParse(text).success) return Number.NaN;
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? text : `${text}Z`);
}
