import { pathWith } from "@/lib/paths";

/** The addresses of the pages of images for administrators. */
export const imageAdminPath = (id: number) => `/admin/images/${id}`;

/** The address of a page of all images, or of one user's. */
export function imagesPath({
  username,
  before,
}: {
  username?: string | undefined;
  before?: number | undefined;
}): string {
  return pathWith("/admin/images", { user: username, before });
}
