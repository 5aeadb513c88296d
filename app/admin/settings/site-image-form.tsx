"use client";

import { Form } from "@/app/_components/form";
import { ChoiceButton, FileField } from "@/app/_components/form-fields";
import { uploadMaximumBytes, uploadTypes } from "@/lib/media/bounds";
import type { SiteImageName } from "@/lib/site/schema";
import { changeImage } from "./image-actions";
import type { SiteImageTexts } from "./site-image-texts";

interface SiteImageFormProps {
  name: SiteImageName;
  label: string;
  help: string;
  /** Whether there is an image to remove. */
  isSet: boolean;
  texts: SiteImageTexts;
}

/** Uploads or removes one of the site's own images. */
export function SiteImageForm({ name, label, help, isSet, texts }: SiteImageFormProps) {
  const tooLarge = (form: FormData) => {
    const file = form.get("file");
    return file instanceof File && file.size > uploadMaximumBytes ? { file: [texts.tooLarge] } : undefined;
  };
  return (
    <Form action={changeImage.bind(null, name)} check={tooLarge} className="flex flex-col gap-3">
      <FileField label={label} name="file" accept={uploadTypes} help={help} />
      <div className="flex flex-wrap gap-3">
        <ChoiceButton
          name="step"
          value="upload"
          label={`${texts.upload}: ${label}`}
          pending={texts.uploading}
        >
          {texts.upload}
        </ChoiceButton>
        {isSet && (
          <ChoiceButton
            name="step"
            value="remove"
            label={`${texts.remove}: ${label}`}
            pending={texts.removing}
          >
            {texts.remove}
          </ChoiceButton>
        )}
      </div>
    </Form>
  );
}
