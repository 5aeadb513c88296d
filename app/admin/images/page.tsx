import { ForgetParameter } from "@/app/_components/forget-parameter";
import { forbiddenPage } from "@/app/_components/no-page";
import { PageLinks } from "@/app/_components/page-links";
import { SearchForm } from "@/app/_components/search-form";
import { searchFrom } from "@/app/_components/search-text";
import { Thumbnail } from "@/app/_components/thumbnail";
import { Day } from "@/app/_components/time";
import { app } from "@/lib/app";
import { noticeOnce } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { imagesForAdministrators, type OwnedImage } from "@/lib/media/administration";
import { userPath } from "@/lib/paths";
import { declareNoScripts } from "@/lib/request/current-request";
import { idFromText } from "@/lib/text/id-from-text";
import { currentTime } from "@/lib/time/current-time";
import { AdminFrame, administratorAt, adminMetadata } from "../frame";
import { imageAdminPath, imagesPath } from "./images-path";

export function generateMetadata() {
  return adminMetadata("images");
}

/** All users' images, with search by user; each leads to the page that removes it. */
export default async function ImagesPage({ searchParams }: PageProps<"/admin/images">) {
  const actor = await administratorAt("/admin/images");
  if (!actor) return forbiddenPage();
  declareNoScripts();
  const parameters = await searchParams;
  const username = searchFrom(parameters, "user");
  const before = idFromText(parameters.before);
  const found = await imagesForAdministrators(app(), actor, { username, before });
  if (found.kind === "forbidden") return forbiddenPage();
  const t = translator("admin");
  const notice = await noticeOnce(parameters.done, {
    about: "all images",
    reader: actor,
    now: currentTime(),
  });
  return (
    <AdminFrame user={actor} page="images">
      <p role="status" className="mt-4 border-s-2 border-water ps-3 empty:hidden">
        {notice === "removed" && t("images.done")}
        {notice === "gone" && t("images.gone")}
      </p>
      <ForgetParameter name="done" />
      <SearchForm
        action="/admin/images"
        name="user"
        label={t("images.search")}
        placeholder={t("images.search")}
        value={username}
        className="my-6 block max-w-md"
      />
      {found.kind === "no-such-user" ? (
        <p className="text-quiet">{t.rich("images.noSuchUser", { name: () => <bdi>{username}</bdi> })}</p>
      ) : (
        <Images images={found.images} />
      )}
      <PageLinks
        label={t("images.pages")}
        first={before === undefined ? undefined : imagesPath({ username })}
        firstText={t("images.newest")}
        next={
          found.kind === "images" && found.nextBefore !== null
            ? imagesPath({ username, before: found.nextBefore })
            : null
        }
        nextText={t("images.older")}
      />
    </AdminFrame>
  );
}

function Images({ images }: { images: readonly OwnedImage[] }) {
  const t = translator("admin");
  if (images.length === 0) return <p className="text-quiet">{t("images.none")}</p>;
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3">
      {images.map((image) => (
        <li key={image.id} className="min-w-0 text-sm">
          <a href={imageAdminPath(image.id)} className="block">
            <Thumbnail
              image={image}
              alt=""
              className="mb-1.5 aspect-4/3 w-full rounded bg-tint object-contain"
            />
            <bdi className="line-clamp-2 wrap-anywhere">{image.alt || t("images.noAlt")}</bdi>
          </a>
          <p className="text-quiet">
            {t.rich("images.by", {
              name: () => (
                <a href={userPath(image.username)} className="text-quiet">
                  <bdi>{image.username}</bdi>
                </a>
              ),
              time: () => <Day at={image.createdAt} />,
            })}
          </p>
        </li>
      ))}
    </ul>
  );
}
