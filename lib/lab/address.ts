/**
 * All that the lab shows is in its address.
 * Only differences from a fresh visitor's page are written there, so that a link holds the visitor's choices; a form
 * sends every field, and its address is shortened to those.
 */
import { z } from "zod";
import { algorithmNames } from "../limiter/index.ts";
import { type LabSettingTexts, settingNames } from "./settings.ts";
import { knownTraces } from "./traces.ts";

const firstTrace = "flood";
/** Further traces: a post's recorded attempts, and pasted times. */
export const traceNames = [...Object.keys(knownTraces), "post", "times"];

export interface LabQuery {
  /** One of `traceNames`, or any text from the address. */
  trace: string;
  /** Which algorithms to show; never none. */
  rows: string[];
  /** Which of the site's limits decide there; empty for all of them. */
  limits: string[];
  settings: LabSettingTexts;
  /** The slug of the post, for the trace "post". */
  post: string;
  /** The pasted times, for the trace "times". */
  times: string;
  /** The part to show, in seconds since the trace began, as typed. */
  from: string;
  to: string;
  /** The algorithm whose charts are also shown as tables, or `siteTable`. */
  table: string;
}

/** The name of the site's limits among the tables. */
export const siteTable = "site";

/** The choices of a page without parameters. */
export interface FreshPage {
  /** The values of settings that are left out. */
  settings: Record<string, string>;
  /** The names of the site's limits. */
  limits: readonly string[];
}

export type SearchParameters = Record<string, string | string[] | undefined>;

const settingMaximum = 100;

/** A parameter that is repeated counts once: its first. */
const text = (maximum: number) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value[0] : value),
    z
      .string()
      .default("")
      .transform((value) => value.toWellFormed().replace(/\r\n?/g, "\n").trim().slice(0, maximum).trim()),
  );

const rows = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(z.unknown()).transform((values) => {
    const chosen = algorithmNames.filter((name) => values.includes(name));
    return chosen.length > 0 ? chosen : [...algorithmNames];
  }),
);

const limits = z.preprocess((value) => [value ?? []].flat(), z.array(z.unknown()));

const querySchema = z.object({
  trace: text(40).transform((name) => name || firstTrace),
  lane: rows,
  limit: limits,
  post: text(200),
  // Longer than is taken, so that it is refused and not cut.
  times: text(20_000),
  from: text(settingMaximum),
  to: text(settingMaximum),
  table: text(40).transform((name) => ([...algorithmNames, siteTable].includes(name) ? name : "")),
});
const settingsSchema = z.record(z.string(), text(settingMaximum));

/** Reads any address. */
export function labQuery(parameters: SearchParameters, fresh: FreshPage): LabQuery {
  const { lane, limit, ...rest } = querySchema.parse(parameters);
  const typed = settingsSchema.parse(
    Object.fromEntries(
      settingNames.flatMap((name) => (name in parameters ? [[name, parameters[name]]] : [])),
    ),
  );
  const settings: LabSettingTexts = {};
  for (const name of settingNames) {
    const value = typed[name];
    if (value && value !== fresh.settings[name]) settings[name] = value;
  }
  const chosen = fresh.limits.filter((name) => limit.includes(name));
  return { ...rest, rows: lane, limits: chosen.length < fresh.limits.length ? chosen : [], settings };
}

/** The address that shows this, or a page beneath the lab's own. */
export function labPath(query: Partial<LabQuery>, page = "/lab"): string {
  const parameters = labParameters(query);
  return parameters.size > 0 ? `${page}?${parameters}` : page;
}

function labParameters(query: Partial<LabQuery>): URLSearchParams {
  const { trace, rows = [], limits = [], settings = {}, table } = query;
  const parameters = new URLSearchParams();
  const isOfTrace = (name: "post" | "times") => name === trace;
  if (trace && trace !== firstTrace) parameters.set("trace", trace);
  for (const name of ["post", "times", "from", "to"] as const)
    if (query[name] && (name === "from" || name === "to" || isOfTrace(name)))
      parameters.set(name, query[name]);
  if (rows.length < algorithmNames.length) for (const name of rows) parameters.append("lane", name);
  for (const name of limits) parameters.append("limit", name);
  for (const name of settingNames) if (settings[name]) parameters.set(name, settings[name]);
  if (table) parameters.set("table", table);
  return parameters;
}

/** Whether an address is as short as it can be. */
export function isShort(parameters: SearchParameters, query: LabQuery): boolean {
  const given = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values ?? []].flat()) given.append(name, value);
  return given.toString() === labParameters(query).toString();
}
