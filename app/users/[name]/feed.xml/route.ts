import { feedResponse } from "@/app/feed";
import { userFeed } from "../user-feed";

export async function GET(_: Request, { params }: RouteContext<"/users/[name]/feed.xml">): Promise<Response> {
  return feedResponse("atom", await userFeed((await params).name));
}
