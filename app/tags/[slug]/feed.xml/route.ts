import { feedResponse } from "@/app/feed";
import { tagFeed } from "../tag-feed";

export async function GET(_: Request, { params }: RouteContext<"/tags/[slug]/feed.xml">): Promise<Response> {
  return feedResponse("atom", await tagFeed((await params).slug));
}
