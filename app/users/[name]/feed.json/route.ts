import { feedResponse } from "@/app/feed";
import { userFeed } from "../user-feed";

export async function GET(
  _: Request,
  { params }: RouteContext<"/users/[name]/feed.json">,
): Promise<Response> {
  return feedResponse("json", await userFeed((await params).name));
}
