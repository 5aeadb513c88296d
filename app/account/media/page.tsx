import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { forbiddenPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { Section } from "@/app/_components/section";
import { app } from "@/lib/app";
import { noticeOnce, pageUser } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { listImages } from "@/lib/media";
import { roomOf } from "@/lib/media/upload";
import { declareNoScripts, scriptNonce } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { mayWrite } from "@/lib/users/writers";
import { AccountLink } from "../account-link";
import { describe, remove } from "./actions";
import { imageNotices, imagesPath, imagesPerPage, pagePath, removalForm } from "./form-names";
import { ImageRow } from "./image-row";
import { sizeText } from "./size-text";
import { UploadForm } from "./upload-form";

export function generateMetadata(): Metadata {
  return { title: translator("media")("title"), robots: { index: false } };
}

export default async function ImagesPage({ searchParams }: PageProps<"/account/media">) {
  const user = await pageUser(imagesPath);
  if (!user) return forbiddenPage();
  declareNoScripts();
  const { before, done } = await searchParams;
  const t = translator("media");
  const mayUpload = mayWrite(user, app().whoMayWrite) && !user.isPending;
  const sent = await noticeOnce(done, { about: "images", reader: user, now: currentTime() });
  const notice = imageNotices.find((each) => each === sent);
  return (
    <>
      <script src="/copy.js" async nonce={scriptNonce()} />
      <AccountLink />
      <h1 className="page-title">{t("title")}</h1>
      <p className="mt-3 max-w-prose text-quiet">{t("intro")}</p>
      {notice && (
        <p role="status" className="mt-6 border-s-2 border-water ps-3">
          {t(`done.${notice}`)}
        </p>
      )}
      <Section title={t("upload.title")}>
        {mayUpload ? <UploadForm /> : <p className="text-quiet">{t("notAWriter")}</p>}
      </Section>
      <Images user={user} start={idFromText(before)} />
    </>
  );
}

async function Images({ user, start }: { user: User; start: number | undefined }) {
  const t = translator("media");
  const { images, nextBefore } = await listImages(app(), { user, limit: imagesPerPage, before: start });
  // The last image of a later page was removed.
  if (images.length === 0 && start !== undefined) return <Images user={user} start={undefined} />;
  const { used, maximum } = await roomOf(app(), user);
  const pageField = start !== undefined && <input type="hidden" name="before" value={start} />;
  return (
    <section className="mt-10 border-t border-hairline pt-6" aria-label={t("title")}>
      <p className="text-sm text-quiet">
        {images.length === 0 ? t("none") : t("room", { used: sizeText(used), maximum: sizeText(maximum) })}
      </p>
      {images.length > 0 && (
        // One form for each action: each would repeat its action and its messages.
        <>
          <Form id={removalForm} action={remove}>
            {pageField}
          </Form>
          <Form action={describe}>
            {pageField}
            <ul className="media-list">
              {images.map((image) => (
                <ImageRow key={image.id} image={image} />
              ))}
            </ul>
          </Form>
        </>
      )}
      <PageLinks
        first={start === undefined ? undefined : imagesPath}
        firstText={t("newer")}
        next={nextBefore === null ? null : pagePath({ before: nextBefore })}
        nextText={t("older")}
      />
    </section>
  );
}
