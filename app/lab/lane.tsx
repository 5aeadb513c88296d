import { many } from "@/app/_components/figures";
import { ratingSettings } from "@/lib/algorithms";
import { env } from "@/lib/env";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { shownOf, type View } from "@/lib/lab/intervals";
import type { LabAlgorithm } from "@/lib/lab/settings";
import type { DecidedRequest } from "@/lib/lab/simulate";
import { LaneChart } from "./lane-chart";
import { LaneTable } from "./lane-table";
import type { Clock } from "./time-text";
import { algorithmWords, shortSettings } from "./words";

interface LaneProps {
  run: LabAlgorithm & { decided: DecidedRequest[] };
  query: LabQuery;
  view: View;
  clock: Clock;
}

/** One algorithm: what it accepted and refused over time, what it measured, and the way to have it here. */
export function Lane({ run, query, view, clock }: LaneProps) {
  const { name, parameters, decided } = run;
  const shown = shownOf(decided, view);
  const accepted = shown.filter(({ decision }) => decision.allowed).length;
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="mt-8 scroll-mt-4">
      <div className="grid items-baseline gap-x-6 sm:grid-cols-[1fr_auto]">
        <h3 id={`${name}-title`} className="font-semibold">
          {algorithmWords[name].name}
        </h3>
        <p className="text-sm text-quiet sm:row-start-2">
          <bdi>{shortSettings(parameters)}</bdi>
          {isInForce(run, query) && <span className="text-ink"> · what this blog uses now</span>}
        </p>
        <p className="flex gap-x-4 text-sm tabular-nums">
          <bdi className="text-water">{many(accepted)} accepted</bdi>
          <bdi className="text-amber">{many(shown.length - accepted)} refused</bdi>
        </p>
      </div>
      <LaneChart name={name} decided={decided} view={view} clock={clock} />
      <div className="mt-1 flex flex-wrap items-start justify-between gap-x-6 gap-y-1 text-sm">
        <LaneTable name={name} shown={shown} view={view} clock={clock} />
        <a href={environmentPath(run, query)}>
          Environment lines<span className="sr-only"> for {algorithmWords[name].name}</span>
        </a>
      </div>
    </section>
  );
}

function isInForce({ name }: LabAlgorithm, { settings }: LabQuery): boolean {
  return (
    env.RATING_LIMITER === name &&
    !("rating.post" in env.LIMITS) &&
    ratingSettings[name].every((setting) => settings[setting] === undefined)
  );
}

function environmentPath({ name }: LabAlgorithm, { settings }: LabQuery): string {
  const own = Object.fromEntries(ratingSettings[name].map((setting) => [setting, settings[setting]]));
  return labPath({ settings: own, lanes: [name] }, "/lab/environment");
}
