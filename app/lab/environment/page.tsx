import type { Metadata } from "next";
import { notFoundPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { labPath, labQuery } from "@/lib/lab/address";
import { environmentLines, ratingLimits, shadowLine } from "@/lib/lab/environment";
import { labSettings, settingTexts } from "@/lib/lab/settings";
import { algorithmDefinition, summarizeAlgorithm } from "@/lib/limiter/index";
import { env } from "@/lib/settings/env";

export const metadata: Metadata = { title: "Environment lines", robots: { index: false } };

export default async function EnvironmentPage({ searchParams }: PageProps<"/lab/environment">) {
  const query = labQuery(await searchParams, settingTexts(env));
  const [name] = query.lanes;
  const { settings, algorithms } = labSettings(query.settings, env);
  const found = algorithms.find((algorithm) => algorithm.name === name);
  if (!name || !found || query.lanes.length !== 1) return notFoundPage();
  const lines = environmentLines(settings, name);
  const defaults = lines.filter(({ isDefault }) => isDefault);
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={labPath(query)}>Lab</a>
      </p>
      <h1 className="page-title mt-1">Environment lines</h1>
      <p className="mt-3 max-w-prose text-quiet">
        {algorithmDefinition(name).title}: {summarizeAlgorithm(found.parameters)}.
      </p>
      <Section title="To limit ratings by it">
        <Code>{lines.map((line) => `${line.name}=${line.value}`).join("\n")}</Code>
        <p className="mt-3 max-w-prose text-quiet">
          Put these lines into the file <code>.env</code> in Weir’s folder, or into the environment that it is
          started with, and start it again. They hold for each post by itself.
        </p>
        <LimitsNote />
        {defaults.length > 0 && (
          <p className="mt-3 max-w-prose text-quiet">
            {defaults.length === lines.length
              ? "All of them are what Weir comes with, and may be left out unless your "
              : "These are what Weir comes with, and may be left out unless your "}
            <code>.env</code> sets them already
            {defaults.length < lines.length && (
              <>
                : <code className="text-sm">{defaults.map((line) => line.name).join(", ")}</code>
              </>
            )}
            .
          </p>
        )}
      </Section>
      <Section title="To try it first">
        <Code>{shadowLine(settings, name)}</Code>
        <p className="mt-3 max-w-prose text-quiet">
          With this line instead, it runs in shadow: it decides beside the limit that is on and refuses no
          request. What it would have done is recorded, for the post’s author to see. If <code>LIMITS</code>{" "}
          is set already, add what is between the outer braces to it.
        </p>
      </Section>
    </>
  );
}

/** Warns that LIMITS overrides these lines, since the lab does not edit it. */
function LimitsNote() {
  const { wins, further } = ratingLimits(env);
  if (!wins && further.length === 0) return null;
  return (
    <p className="mt-3 max-w-prose">
      On this blog <code>LIMITS</code>{" "}
      {wins && (
        <>
          sets <code>rating.post</code> already, and what it says there wins over these lines
        </>
      )}
      {wins && further.length > 0 && "; it also "}
      {further.length > 0 && (
        <>
          has <code className="break-all">{further.join(", ")}</code>, which decides beside them
        </>
      )}
      .
    </p>
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
