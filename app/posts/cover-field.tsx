import { Choices, Field } from "@/app/_components/form-fields";
import { Thumbnail } from "@/app/_components/thumbnail";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { listImages } from "@/lib/media";
import { type ImageShape, imageAddress, imageAt } from "@/lib/media/address";

/** How many of the latest images can be chosen. */
const shown = 12;

interface CoverFieldProps {
  userId: number;
  /** The present cover. */
  cover: string | null;
  coverAlt: string | null;
}

/** The choice of a cover: among the writer's latest images, or by an address. */
export async function CoverField({ userId, cover, coverAlt }: CoverFieldProps) {
  const t = translator("media");
  const { images } = await listImages(app(), { user: { id: userId }, limit: shown });
  const present = cover === null ? undefined : imageAt(cover);
  const isOlder = present && !images.some(({ name }) => name === present.name);
  const offered: (ImageShape & { alt: string })[] = [
    ...(isOlder ? [{ ...present, alt: coverAlt ?? "" }] : []),
    ...images,
  ];
  return (
    <div className="flex flex-col gap-1.5">
      <Choices
        legend={t("cover.legend")}
        name="cover"
        type="radio"
        chosen={cover ?? "none"}
        choices={[
          { value: "none", label: t("cover.none") },
          ...offered.map((image) => ({
            value: imageAddress(image),
            label: (
              <span className="flex items-center gap-3 py-1">
                <Thumbnail image={image} alt="" className="h-12 w-20 shrink-0 rounded bg-tint object-cover" />
                <bdi>{image.alt || t("cover.unnamed")}</bdi>
              </span>
            ),
          })),
        ]}
      />
      <p className="text-sm text-quiet">{t("cover.help")}</p>
      <div className="mt-2">
        <Field
          label={t("cover.address")}
          name="coverAddress"
          optional
          autoComplete="off"
          help={t.rich("cover.addressHelp", {
            field: t("markdown"),
            link: (text) => (
              <a key="link" href="/account/media" target="_blank" rel="noopener">
                {text}
              </a>
            ),
          })}
        />
      </div>
    </div>
  );
}
