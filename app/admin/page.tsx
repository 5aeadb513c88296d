import type { Metadata } from "next";
import { forbiddenPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { currentApp } from "@/lib/app";
import { requireUser } from "@/lib/auth";
import { env } from "@/lib/env";
import { scoreFrom } from "@/lib/ratings/score";
import { type WindowOfPost, windowsForAdministrators } from "@/lib/ratings/windows";
import { WindowList } from "./window-list";

export const metadata: Metadata = { title: "Admin", robots: { index: false } };

/** There is nothing to decide about a window whose ratings have all been withdrawn. */
function hasRatings({ window }: WindowOfPost): boolean {
  return scoreFrom(window.counts).count > 0;
}

export default async function AdminPage() {
  const user = await requireUser("/admin");
  const outcome = await windowsForAdministrators(await currentApp(Date.now()), user);
  if (outcome.kind === "forbidden") return forbiddenPage();
  const { held, excluded, counted } = outcome;
  return (
    <>
      <h1 className="page-title">Admin</h1>
      <p className="mt-3 text-quiet">
        Flood windows of all posts: spans in which one was rated unusually fast. Times are UTC.
        {env.RATING_OVERFLOW !== "hold" && (
          <>
            {" "}
            No new ones open, since <code>RATING_OVERFLOW</code> is not <code>hold</code>.
          </>
        )}
      </p>
      <Section title="Held">
        <WindowList rows={held.filter(hasRatings)} none="No flood waits for a decision." />
      </Section>
      <Section title="Excluded">
        <WindowList rows={excluded.filter(hasRatings)} none="No flood is excluded." />
      </Section>
      <Section title="Counted lately">
        <WindowList rows={counted} none="No flood has been counted." />
      </Section>
    </>
  );
}
