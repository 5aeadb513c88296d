import { feedResponse } from "../feed";
import { siteFeed } from "../site-metadata";

export function GET(): Promise<Response> {
  return feedResponse("atom", siteFeed());
}
