import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { forbiddenPage } from "@/app/_components/no-page";
import { PostTitle } from "@/app/_components/post-title";
import { Minute } from "@/app/_components/time";
import { app } from "@/lib/app";
import { pageUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { textDirection } from "@/lib/i18n/text-direction";
import { postPath, revisionsPath, textFromPath } from "@/lib/paths";
import { mayEdit } from "@/lib/posts";
import { revisionBounds } from "@/lib/posts/lengths";
import { compareRevision, revisionsOf } from "@/lib/posts/revisions";
import { declareNoScripts } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { movedOrMissing } from "../moved";
import { restore } from "./actions";
import { Comparison } from "./comparison";

export function generateMetadata(): Metadata {
  return { title: translator("writing")("revisions.title"), robots: { index: false } };
}

/** The earlier versions of a post, or the changes since one of them. */
export default async function RevisionsPage({ params, searchParams }: PageProps<"/posts/[slug]/revisions">) {
  const part = (await params).slug;
  const slug = textFromPath(part);
  if (slug === null) return movedOrMissing(part);
  const user = await pageUser(revisionsPath(slug));
  if (!user) return forbiddenPage();
  const found = await revisionsOf(app(), { slug, user });
  if (found.kind === "forbidden") return forbiddenPage();
  if (found.kind === "no-such-post") return movedOrMissing(part, "/revisions");
  const { post, revisions } = found;
  const t = translator("writing");
  const { revision } = await searchParams;
  const id = idFromText(revision) ?? 0;
  const compared = id === 0 ? null : await compareRevision(app(), { slug, user, id });
  const chosen = compared?.kind === "compared" ? compared : null;
  if (!chosen) declareNoScripts();
  return (
    <>
      <p className="text-sm text-quiet">
        <a href={postPath(slug)}>
          <PostTitle {...post} />
        </a>
      </p>
      {chosen ? (
        <>
          <h1 className="page-title mt-1">
            {t.rich("revisions.chosen", { time: () => <Minute at={chosen.savedAt} /> })}
          </h1>
          <p className="mt-3">
            <a href={revisionsPath(slug)}>{t("revisions.back")}</a>
          </p>
          <Comparison
            {...chosen}
            lang={post.lang}
            direction={textDirection(post.excerpt ?? post.title, post.lang)}
          />
          {mayEdit(post, user) && !chosen.isSame && (
            <Form
              action={restore.bind(null, slug, id)}
              className="mt-8 flex flex-col items-start gap-3 border-t border-hairline pt-5"
            >
              <p className="text-sm text-quiet">{t("revisions.restoreHelp")}</p>
              {chosen.missingImages > 0 && (
                <p className="text-sm text-amber">
                  {t("revisions.missingImages", { count: chosen.missingImages })}
                </p>
              )}
              <SubmitButton pending={t("revisions.restoring")}>{t("revisions.restore")}</SubmitButton>
            </Form>
          )}
        </>
      ) : (
        <>
          <h1 className="page-title mt-1">{t("revisions.title")}</h1>
          <p className="mt-3 max-w-prose text-quiet">
            {t("revisions.intro", { maximum: revisionBounds.count })}
          </p>
          {revision !== undefined && (
            <p role="status" className="mt-4 text-amber">
              {t("revisions.gone")}
            </p>
          )}
          {revisions.length === 0 ? (
            <p className="mt-6">{t("revisions.none")}</p>
          ) : (
            <ul className="mt-6 divide-y divide-hairline border-y border-hairline">
              {revisions.map(({ id: each, title, savedAt }) => (
                <li key={each} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
                  <div className="min-w-0">
                    <p className="font-medium break-words">
                      <PostTitle title={title} lang={post.lang} />
                    </p>
                    <p className="text-sm text-quiet">
                      {t.rich("revisions.saved", { time: () => <Minute at={savedAt} /> })}
                    </p>
                  </div>
                  <a href={revisionsPath(slug, each)} className="text-sm">
                    {t("revisions.compare")}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}
