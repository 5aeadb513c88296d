import { FormDisclosure } from "@/app/_components/form-disclosure";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { ImageUses } from "@/app/_components/image-uses";
import { Thumbnail } from "@/app/_components/thumbnail";
import { Day } from "@/app/_components/time";
import { translator } from "@/lib/i18n";
import type { ListedImage } from "@/lib/media";
import { imageAddress, markdownOf } from "@/lib/media/address";
import { altMaximum } from "@/lib/media/bounds";
import { CopyField } from "./copy-field";
import { descriptionField, removalForm, shownDescriptionField } from "./form-names";
import { sizeText } from "./size-text";

/** One of the user's images, with its uses and the actions on it. */
export function ImageRow({ image }: { image: ListedImage }) {
  const t = translator("media");
  const { id, alt, width, height, bytes, isAnimated, createdAt, uses } = image;
  const name = alt === "" ? t.rich("whichDay", { day: () => <Day at={createdAt} /> }) : t("which", { alt });
  const description = descriptionField(id);
  return (
    <li>
      <a href={imageAddress(image)}>
        <Thumbnail image={image} alt="" />
        <span className="sr-only">{name}</span>
      </a>
      <div>
        <CopyField id={`line-${id}`} label={t("markdown")} value={markdownOf(image)} />
        <p>
          {t("facts", { width, height, size: sizeText(bytes) })}
          {isAnimated && ` · ${t("moving")}`}
          {" · "}
          <Day at={createdAt} />
        </p>
        <ImageUses uses={uses} label={t("usedIn")} none={t("unused")} />
        <div className="actions">
          <FormDisclosure summary={t("change")} isOpen={false} field={description}>
            <Field
              label={t("upload.alt")}
              name={description}
              defaultValue={alt}
              maxLength={altMaximum}
              help={t("upload.altHelp")}
              optional
            />
            <input type="hidden" name={shownDescriptionField(id)} defaultValue={alt} />
            <SubmitButton pending={t("saving")}>{t("save")}</SubmitButton>
          </FormDisclosure>
          {uses.length === 0 && (
            <button
              type="submit"
              form={removalForm}
              name="image"
              value={id}
              className="link-button text-wrong"
            >
              {t("remove")}
              <span className="sr-only"> {name}</span>
            </button>
          )}
        </div>
      </div>
    </li>
  );
}
