import { scaleUtc } from "d3-scale";
import { textAt } from "./labels";
import { shortMonth } from "./parts";
import { dayMs, type TimelineSpans } from "./spans";

/**
 * Dates that fit on the narrowest timeline.
 * And the days up to which they count from the first day.
 */
const dayTicksMaximum = 4;
const monthTicksMaximum = 6;
const daysInStep = 31;

const dayAndMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A date label and its part of the timeline, in milliseconds. */
export interface Tick {
  from: number;
  to: number;
  text: string;
}

/**
 * Date labels that fit on a phone.
 * Evenly spaced days on a short timeline, otherwise round dates.
 */
export function ticksOf({ unit, begin, end, spans }: TimelineSpans): Tick[] {
  if (unit === "day" && end - begin <= daysInStep) {
    const nth = Math.ceil((end - begin) / dayTicksMaximum);
    return everyNth(spans, nth).map(({ from }) => dayTick(from * dayMs));
  }
  const time = scaleUtc().domain([begin * dayMs, end * dayMs]);
  const fits = ({ from, to, text }: Tick) =>
    textAt(time(from) * 100, time(to) * 100, text).anchor === "middle";
  const dates = time.ticks(5).map((date) => date.getTime());
  if (unit === "day") return thinned(dates.map(dayTick).filter(fits), dayTicksMaximum);
  const monthTick = (at: number) => ({ from: at, to: at, text: shortMonth.format(at) });
  return thinned(dates.map(monthTick).filter(fits), monthTicksMaximum).map((tick, index, ticks) => {
    const date = new Date(tick.from);
    const year = date.getUTCFullYear();
    if (date.getUTCMonth() === 0) return { ...tick, text: String(year) };
    const before = new Date(ticks[index - 1]?.from ?? tick.from).getUTCFullYear();
    return before === year ? tick : { ...tick, text: `${tick.text} ${year}` };
  });
}

function dayTick(at: number): Tick {
  return { from: at, to: at + dayMs, text: dayAndMonth.format(at) };
}

function thinned(ticks: readonly Tick[], maximum: number): Tick[] {
  return everyNth(ticks, Math.ceil(ticks.length / maximum));
}

function everyNth<Value>(values: readonly Value[], nth: number): Value[] {
  return values.filter((_, index) => index % nth === 0);
}
