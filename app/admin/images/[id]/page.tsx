import type { Metadata } from "next";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { ImageUses } from "@/app/_components/image-uses";
import { forbiddenPage, notFoundPage } from "@/app/_components/no-page";
import { Section } from "@/app/_components/section";
import { Thumbnail } from "@/app/_components/thumbnail";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { imageAddress } from "@/lib/media/address";
import { imageForAdministrators } from "@/lib/media/administration";
import { userPath } from "@/lib/paths";
import { idFromText } from "@/lib/text/id-from-text";
import { AdminFrame, administratorAt, adminMetadata } from "../../frame";
import { imageAdminPath, imagesPath } from "../images-path";
import { remove } from "./actions";

export function generateMetadata(): Metadata {
  return adminMetadata("images");
}

/** One user's image: the posts that use it, and its removal. */
export default async function ImageAdminPage({ params }: PageProps<"/admin/images/[id]">) {
  const id = idFromText((await params).id) ?? 0;
  const user = await administratorAt(imageAdminPath(id));
  if (!user) return forbiddenPage();
  const found = await imageForAdministrators(app(), user, id);
  if (found.kind === "forbidden") return forbiddenPage();
  if (found.kind === "no-such-image") return notFoundPage();
  const { image } = found;
  const t = translator("admin");
  return (
    <AdminFrame user={user} page="images" title={<bdi>{image.alt || t("images.noAlt")}</bdi>}>
      <p className="mt-2 text-quiet">
        {t.rich("images.by", {
          name: () => (
            <a href={userPath(image.username)}>
              <bdi>{image.username}</bdi>
            </a>
          ),
          time: () => <Day at={image.createdAt} />,
        })}
        {" · "}
        <a href={imagesPath({ username: image.username })}>{t("images.alsoBy")}</a>
      </p>
      <a href={imageAddress(image)} className="mt-6 block">
        <Thumbnail
          image={image}
          alt={image.alt || t("images.image")}
          className="h-auto max-w-full rounded bg-tint"
        />
      </a>
      <ImageUses uses={image.uses} label={t("images.usedIn")} none={t("images.unused")} className="mt-4" />
      <Section title={t("images.removeTitle")}>
        <Form action={remove.bind(null, id)} className="flex max-w-lg flex-col items-start gap-4">
          <p className="text-sm text-quiet">{t("images.removeHelp")}</p>
          <div className="w-full">
            <Field
              label={t("images.why")}
              name="why"
              rows={2}
              autoComplete="off"
              help={t("images.whyHelp")}
            />
          </div>
          <SubmitButton pending={t("images.removing")}>{t("images.remove")}</SubmitButton>
        </Form>
      </Section>
    </AdminFrame>
  );
}
