import { formatter, translator } from "@/lib/i18n";
import { dayMs } from "@/lib/time/units";

/** Times of a trace, in words and figures. */

const dayAndMonth = { day: "numeric", month: "short" } as const;

/** How a trace's times are read: from `zero` on, or as moments in UTC. */
export interface TraceClock {
  zero: number | null;
  /** The span of the times shown, in milliseconds, at least `stepMs` apart. */
  spanMs: number;
  stepMs: number;
}

/** A time in full. Up to two minutes in seconds, longer as a clock shows it. */
export function timeText(at: number, clock: TraceClock): string {
  if (inSeconds(at, clock)) return axisText(at, clock);
  const day = dayText(at, clock);
  const hours = hoursText(at, clock);
  return day === "" ? hours : translator("lab")("row.dayTime", { day, time: hours });
}

/** A time as a tick of an axis: at midnight the day, where there are several. */
function axisText(at: number, clock: TraceClock): string {
  const { zero, stepMs } = clock;
  if (zero !== null && inSeconds(at, clock)) {
    const seconds = formatter().number((at - zero) / 1_000, { maximumFractionDigits: 3 });
    return translator("lab")("row.seconds", { seconds });
  }
  const day = dayText(at, clock);
  return day !== "" && (stepMs >= dayMs / 2 || at % dayMs === 0) ? day : hoursText(at, clock);
}

/** How many letters stand side by side on the narrowest phone. */
const lettersAcross = 46;

/**
 * The labels of these ticks.
 * Only each second or third one where all would not fit.
 */
export function axisLabels(ticks: readonly number[], clock: TraceClock): { at: number; text: string }[] {
  const [first = 0, second = first] = ticks;
  const labels = ticks.map((at) => ({ at, text: axisText(at, { ...clock, stepMs: second - first }) }));
  const letters = labels.reduce((sum, { text }) => sum + text.length + 2, 0);
  const every = Math.ceil(letters / lettersAcross);
  return labels.filter((_, index) => index % every === 0);
}

function inSeconds(at: number, { zero, spanMs }: TraceClock): boolean {
  return zero !== null && at - zero <= 120_000 && spanMs <= 120_000;
}

/** Empty where all is on one day. Elapsed time is in hours up to three days. */
function dayText(at: number, { zero, spanMs }: TraceClock): string {
  if (zero === null) return spanMs > dayMs ? formatter().dateTime(new Date(at), dayAndMonth) : "";
  return at - zero < 3 * dayMs
    ? ""
    : translator("lab")("row.day", { day: Math.floor((at - zero) / dayMs) + 1 });
}

function hoursText(at: number, { zero, stepMs }: TraceClock): string {
  const figuresShown = stepMs < 1_000 ? 23 : stepMs < 60_000 ? 19 : 16;
  const clock = new Date(at).toISOString().slice(11, figuresShown);
  if (zero === null || at - zero >= 3 * dayMs) return localDigits(clock);
  const hours = Math.floor((at - zero) / 3_600_000);
  return localDigits(`${String(hours).padStart(2, "0")}${clock.slice(2)}`);
}

/** A clock's time in the reader's digits. */
function localDigits(clock: string): string {
  return clock.replace(/\d/g, (digit) => formatter().number(Number(digit)));
}
