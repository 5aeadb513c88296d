import { summaryText } from "@/app/_components/limit-text";
import { translator } from "@/lib/i18n";
import { type LabQuery, labPath } from "@/lib/lab/address";
import type { View } from "@/lib/lab/intervals";
import { env } from "@/lib/settings/env";
import { ratingVariables } from "@/lib/settings/rating-settings";
import { algorithmText } from "./algorithm-text";
import type { LaneDrawing } from "./draw";
import { LaneChart } from "./lane-chart";
import { LaneTable } from "./lane-table";
import type { TraceClock } from "./time-text";

interface LaneProps {
  lane: LaneDrawing;
  query: LabQuery;
  view: View;
  clock: TraceClock;
}

/** One algorithm: its decisions over time, its level, and how to configure it. */
export function Lane({ lane, query, view, clock }: LaneProps) {
  const { name, parameters, accepted, refused } = lane;
  const t = translator("lab");
  const { title } = algorithmText(name);
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="lane">
      <div className="lane-head">
        <h4 id={`${name}-title`}>{title}</h4>
        <p>
          <bdi>{summaryText(parameters)}</bdi>
          {isInForce(lane, query) && <span className="text-ink">{` · ${t("lane.inForce")}`}</span>}
        </p>
        <p className="lane-counts">
          <bdi className="text-water">{t("lane.accepted", { count: accepted })}</bdi>
          <bdi className="text-amber">{t("lane.refused", { count: refused })}</bdi>
        </p>
      </div>
      <LaneChart lane={lane} view={view} clock={clock} />
      <div className="lane-foot">
        <LaneTable
          lane={lane}
          link={{ path: `${labPath({ ...query, table: name })}#${name}`, isOpen: query.table === name }}
          clock={clock}
        />
        <a href={environmentPath(lane, query)} aria-label={t("lane.linesOf", { title })}>
          {t("lane.lines")}
        </a>
      </div>
    </section>
  );
}

function isInForce({ name }: LaneDrawing, { settings }: LabQuery): boolean {
  return (
    env.RATING_LIMITER === name &&
    !("rating.post" in env.LIMITS) &&
    ratingVariables(name).every((variable) => settings[variable.name] === undefined)
  );
}

function environmentPath({ name }: LaneDrawing, { settings }: LabQuery): string {
  const own = Object.fromEntries(
    ratingVariables(name).map((variable) => [variable.name, settings[variable.name]]),
  );
  return labPath({ settings: own, lanes: [name] }, "/lab/environment");
}
