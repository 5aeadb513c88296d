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
  const parameters = new URLSearchParams({
    ...(username !== undefined && { user: username }),
    ...(before !== undefined && { before: String(before) }),
  });
  return `/admin/images${parameters.size > 0 ? `?${parameters}` : ""}`;
}
