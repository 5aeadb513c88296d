import { Form } from "@/app/_components/form";
import { FormDisclosure } from "@/app/_components/form-disclosure";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { ImageUses } from "@/app/_components/image-uses";
import { Thumbnail } from "@/app/_components/thumbnail";
import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { ListedImage } from "@/lib/media";
import { imageAddress, markdownOf } from "@/lib/media/address";
import { altMaximum } from "@/lib/media/bounds";
import { describe, remove } from "./actions";
import { CopyField } from "./copy-field";
import { sizeText } from "./size-text";

/** One of the user's images, with its uses and the actions on it. */
export function ImageRow({ image }: { image: ListedImage }) {
  const t = translator("media");
  const { id, alt, width, height, bytes, isAnimated, createdAt, uses } = image;
  const name = alt === "" ? t.rich("whichDay", { day: () => <Day at={createdAt} /> }) : t("which", { alt });
  return (
    <li className="flex flex-col gap-4 py-6 sm:flex-row sm:gap-6">
      <a href={imageAddress(image)} className="w-40 shrink-0 self-start">
        <Thumbnail image={image} alt="" className="max-h-40 w-full rounded bg-tint object-contain" />
        <span className="sr-only">{name}</span>
      </a>
      <div className="flex min-w-0 grow flex-col gap-3">
        <CopyField label={t("markdown")} value={markdownOf(image)} copy={t("copy")} copied={t("copied")} />
        <p className="text-sm text-quiet">
          {t("facts", { width, height, size: sizeText(bytes) })}
          {isAnimated && ` · ${t("moving")}`}
          {" · "}
          <Day at={createdAt} />
        </p>
        <ImageUses uses={uses} label={t("usedIn")} none={t("unused")} />
        <div className="flex flex-wrap items-start justify-between gap-3">
          <Form action={describe.bind(null, id)} className="min-w-0 grow text-[0.9375rem]">
            <FormDisclosure summary={t("change")} isOpen={false}>
              <div className="mt-3 flex flex-col gap-3">
                <Field
                  label={t("upload.alt")}
                  name="alt"
                  defaultValue={alt}
                  maxLength={altMaximum}
                  help={t("upload.altHelp")}
                  optional
                />
                <div>
                  <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
                </div>
              </div>
            </FormDisclosure>
          </Form>
          {uses.length === 0 && (
            <Form action={remove.bind(null, id)}>
              <button type="submit" className="link-button text-[0.9375rem] text-wrong">
                {t("remove")}
                <span className="sr-only"> {name}</span>
              </button>
            </Form>
          )}
        </div>
      </div>
    </li>
  );
}
