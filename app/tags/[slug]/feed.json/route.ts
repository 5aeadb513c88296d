import { feedResponse } from "@/app/feed";
import { tagFeed } from "../tag-feed";

export async function GET(_: Request, { params }: RouteContext<"/tags/[slug]/feed.json">): Promise<Response> {
  return feedResponse("json", await tagFeed((await params).slug));
}
