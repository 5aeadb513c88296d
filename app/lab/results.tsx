import { durationText } from "@/app/_components/duration-text";
import { translator } from "@/lib/i18n";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { type ShownTrace, type TracePart, zeroOf } from "@/lib/lab/part";
import { faultyOf, type LabSettings, settingNames } from "@/lib/lab/settings";
import { AlgorithmRow } from "./algorithm-row";
import { algorithmText } from "./algorithm-text";
import { Comparison } from "./comparison";
import { drawing } from "./draw";
import { chosenOfSite } from "./fresh-page";
import { ScoreResults } from "./score-results";
import { type TraceClock, timeText } from "./time-text";

interface ResultsProps {
  query: LabQuery;
  settings: LabSettings;
  trace: ShownTrace;
  part: TracePart;
}

/** Each algorithm's numbers for the whole trace, and its row for the shown part. */
export function Results({ query, settings, trace, part }: ResultsProps) {
  const t = translator("lab");
  const { view, rows, scores } = drawing(query, settings, trace, part);
  const missing = query.rows.filter((name) => rows.every((row) => row.name !== name));
  const clock: TraceClock = { zero: trace.startsAt, spanMs: part.to - part.from, stepMs: view.lengthMs };
  const isTaken = settingNames.every(
    (name) => (trace.suggestion?.settings[name] ?? settings.texts[name]) === settings.texts[name],
  );
  return (
    <section id="results" aria-labelledby="trace-title" className="mt-10 scroll-mt-6">
      <h2 id="trace-title" className="text-xl font-semibold">
        <bdi>{trace.title}</bdi>
      </h2>
      <p className="mt-2 max-w-prose text-quiet">{trace.about}</p>
      {trace.suggestion && !isTaken && (
        <p className="mt-2 text-[0.9375rem]">
          <a
            href={`${labPath({ ...query, settings: { ...query.settings, ...trace.suggestion.settings } })}#results`}
          >
            {t("result.tryWith", { settings: trace.suggestion.about })}
          </a>
        </p>
      )}
      {missing.map((name) => (
        <p key={name} className="mt-4 text-sm text-wrong">
          {t("result.leftOut", { title: algorithmText(name).title })}{" "}
          {faultyOf(name, settings.errors).map((setting, index) => (
            <span key={setting}>
              {index > 0 && "; "}
              <a href={`#${setting}`}>{setting}</a> {settings.errors[setting]?.[0]}
            </span>
          ))}
          {"."}
        </p>
      ))}
      {rows.length > 0 && (
        <>
          {scores && (
            <ScoreResults comparison={scores} clock={clock} query={query} site={chosenOfSite(query.limits)} />
          )}
          <h3 className="mt-10 section-title">{t("result.decisions")}</h3>
          <Comparison runs={rows} />
          <PartTabs query={query} trace={trace} part={part} />
          <p className="mt-1 text-sm text-quiet">
            <bdi>
              {t("result.span", {
                from: timeText(view.begin, clock),
                to: timeText(view.begin + view.count * view.lengthMs, clock),
              })}
            </bdi>
            {". "}
            {view.hasSingles
              ? t("result.marks")
              : t("result.bars", { duration: durationText(view.lengthMs) })}
          </p>
          {rows.map((row) => (
            <AlgorithmRow key={row.name} row={row} query={query} view={view} clock={clock} />
          ))}
        </>
      )}
    </section>
  );
}

function PartTabs({ query, trace, part }: Pick<ResultsProps, "query" | "trace" | "part">) {
  const { focus } = trace;
  const t = translator("lab");
  if (!focus && part.isWhole) return <h3 className="mt-10 section-title">{t("result.whole")}</h3>;
  const zero = zeroOf(trace);
  const isFocus = focus && part.from === zero + focus.fromMs && part.to === zero + focus.toMs;
  const focusPart = focus?.opens
    ? { from: "", to: "" }
    : { from: String((focus?.fromMs ?? 0) / 1_000), to: String((focus?.toMs ?? 0) / 1_000) };
  const tabs = [
    ...(focus ? [{ name: focus.name, isCurrent: isFocus, path: labPath({ ...query, ...focusPart }) }] : []),
    {
      name: t("result.whole"),
      isCurrent: part.isWhole,
      path: labPath({ ...query, from: focus?.opens ? "0" : "", to: "" }),
    },
    ...(!isFocus && !part.isWhole ? [{ name: t("result.part"), isCurrent: true, path: labPath(query) }] : []),
  ];
  return (
    <nav id="part" aria-label={t("result.parts")} className="tabs mt-10 scroll-mt-4">
      {tabs.map(({ name, isCurrent, path }) => (
        <a key={name} href={`${path}#part`} aria-current={isCurrent ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
