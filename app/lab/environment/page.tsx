import type { Metadata } from "next";
import { summaryText } from "@/app/_components/limit-text";
import { notFoundPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { labPath, labQuery } from "@/lib/lab/address";
import { environmentLines, limiterFile, ratingLimits, shadowLine } from "@/lib/lab/environment";
import { labSettings } from "@/lib/lab/settings";
import { declareNoScripts } from "@/lib/request/current-request";
import { env } from "@/lib/settings/env";
import { algorithmText } from "../algorithm-text";
import { freshPage } from "../fresh-page";

export function generateMetadata(): Metadata {
  return { title: translator("lab")("use.title"), robots: { index: false } };
}

const code = (chunks: React.ReactNode) => <code>{chunks}</code>;

/** How to use a limit as set in the lab: in this blog, and in other programs. */
export default async function EnvironmentPage({ searchParams }: PageProps<"/lab/environment">) {
  declareNoScripts();
  const t = translator("lab");
  const query = labQuery(await searchParams, freshPage);
  const [name] = query.rows;
  const { settings, algorithms } = labSettings(query.settings, env);
  const found = algorithms.find((algorithm) => algorithm.name === name);
  if (!name || !found || query.rows.length !== 1) return notFoundPage();
  const lines = environmentLines(settings, name);
  const defaults = lines.filter(({ isDefault }) => isDefault);
  const file = limiterFile(settings, name);
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={labPath(query)}>{t("title")}</a>
      </p>
      <h1 className="page-title mt-1">{t("use.title")}</h1>
      <p className="mt-3 max-w-prose text-quiet">
        {t("use.about", { title: algorithmText(name).title, summary: summaryText(found.parameters) })}
      </p>
      <Section title={t("use.blog")}>
        <Code>{lines.map((line) => `${line.name}=${line.value}`).join("\n")}</Code>
        <p className="mt-3 max-w-prose text-quiet">{t.rich("use.blogHow", { code })}</p>
        <LimitsNote />
        {defaults.length > 0 && (
          <p className="mt-3 max-w-prose text-quiet">
            {defaults.length === lines.length
              ? t.rich("use.allDefaults", { code })
              : t.rich("use.someDefaults", {
                  code,
                  names: () => <Names of={defaults.map((line) => line.name)} />,
                })}
          </p>
        )}
      </Section>
      <Section title={t("use.shadow")}>
        <Code>{shadowLine(settings, name)}</Code>
        <p className="mt-3 max-w-prose text-quiet">{t.rich("use.shadowHow", { code })}</p>
      </Section>
      <Section title={t("use.service")}>
        <Code>{file}</Code>
        <p className="mt-3 max-w-prose text-quiet">{t.rich("use.serviceHow", { code })}</p>
        <p className="mt-3">
          <a href={`data:application/json,${encodeURIComponent(file)}`} download="limiter.json">
            {t("use.download")}
          </a>
        </p>
      </Section>
    </>
  );
}

/** Warns that LIMITS overrides these lines, since the lab does not edit it. */
function LimitsNote() {
  const t = translator("lab");
  const { wins, further } = ratingLimits(env);
  return (
    <>
      {wins && <p className="mt-3 max-w-prose">{t.rich("use.limitsWins", { code })}</p>}
      {further.length > 0 && (
        <p className="mt-3 max-w-prose">
          {t.rich("use.limitsFurther", { code, names: () => <Names of={further} /> })}
        </p>
      )}
    </>
  );
}

function Names({ of: names }: { of: readonly string[] }) {
  return (
    <code key="names" className="text-sm">
      {names.join(", ")}
    </code>
  );
}

function Code({ children }: { children: string }) {
  return (
    <div className="prose max-w-none">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: not every browser lets the keyboard scroll it otherwise */}
      <pre tabIndex={0} className="break-all whitespace-pre-wrap">
        <code>{children}</code>
      </pre>
    </div>
  );
}
