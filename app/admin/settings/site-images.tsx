import { ForgetParameter } from "@/app/_components/forget-parameter";
import { Section } from "@/app/_components/section";
import { translator } from "@/lib/i18n";
import { imageAddress, thumbnailAddress } from "@/lib/media/address";
import { uploadMaximumBytes } from "@/lib/media/bounds";
import { siteImages } from "@/lib/site";
import { type SiteImageName, siteImageNames } from "@/lib/site/schema";
import { SiteImageForm } from "./site-image-form";
import { siteImageTexts } from "./site-image-texts";

/** The site's logo and icon, each with a form that replaces or removes it. */
export function SiteImages({ done }: { done: string | undefined }) {
  const t = translator("siteSettings");
  return (
    <Section title={t("images.title")} id="images">
      <p className="mb-6 text-quiet">{t("images.intro", { maximum: uploadMaximumBytes / 1024 / 1024 })}</p>
      <p role="status" className="mb-6 border-s-2 border-water ps-3 empty:hidden">
        {done === "saved" && t("images.saved")}
        {done === "removed" && t("images.removed")}
      </p>
      <ForgetParameter name="image" />
      <div className="flex max-w-lg flex-col gap-8">
        {siteImageNames.map((name) => (
          <SiteImage key={name} name={name} />
        ))}
      </div>
    </Section>
  );
}

function SiteImage({ name }: { name: SiteImageName }) {
  const t = translator("siteSettings");
  const image = siteImages()[name];
  const label = t(`images.label.${name}`);
  return (
    <div className="flex flex-col gap-3">
      {image && (
        // biome-ignore lint/performance/noImgElement: the framework's optimizer is off, the sizes are made on upload
        <img
          src={thumbnailAddress(image)}
          alt={t("images.current", { label })}
          className={`max-h-16 max-w-full self-start rounded border border-hairline p-2 ${backgroundOf(name)}`}
        />
      )}
      <SiteImageForm
        key={image && imageAddress(image)}
        name={name}
        label={label}
        help={t(`images.help.${name}`)}
        isSet={image !== undefined}
        texts={siteImageTexts()}
      />
    </div>
  );
}

/** The background of an image: that of its theme, when each has its own. */
function backgroundOf(name: SiteImageName): string {
  if (name === "SITE_LOGO_DARK") return "bg-dark-paper";
  return name === "SITE_LOGO" && siteImages().SITE_LOGO_DARK ? "bg-light-paper" : "bg-paper";
}
