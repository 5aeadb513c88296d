import { app } from "@/lib/app";
import { listsEtag } from "@/lib/http/etag";
import { plainText } from "@/lib/http/plain-text";
import { translator } from "@/lib/i18n";
import { addressRefusal } from "@/lib/limits/address-limit";
import { textFromPath } from "@/lib/paths";
import { readPost } from "@/lib/posts";
import { clientAddress, unsentResponse } from "@/lib/request/current-request";
import { socialImages, versionOf } from "@/lib/social-image/index";
import { currentTime } from "@/lib/time/current-time";
import { socialImageOf } from "../social-image";

export const dynamic = "force-dynamic";

const forever = "public, max-age=31536000, immutable";
const forFiveMinutes = "public, max-age=300";

/** The image of links to this post, as every visitor may see it. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/posts/[slug]/image.png">,
): Promise<Response> {
  const slug = textFromPath((await params).slug);
  const post = slug === null ? null : await readPost(app(), slug, null);
  if (!post) return plainText(404, translator("problems")("nothingHere"));
  const now = currentTime();
  const image = socialImageOf(post, now);
  const version = versionOf(image);
  const headers = {
    ETag: `"${version}"`,
    "Cache-Control": new URL(request.url).searchParams.get("v") === version ? forever : forFiveMinutes,
  };
  // Other sites show it beside a link. The server has set its own value already.
  unsentResponse()?.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  if (listsEtag(request.headers.get("if-none-match"), headers.ETag))
    return new Response(null, { status: 304, headers });
  const png = await socialImages().find(
    image,
    async () => (await addressRefusal(app(), "image", { address: clientAddress(), now })) === undefined,
  );
  if (png === "busy")
    return new Response(null, {
      status: 302,
      headers: { Location: "/social.png", "Cache-Control": "no-store" },
    });
  return new Response(new Uint8Array(png), { headers: { ...headers, "Content-Type": "image/png" } });
}
