import { connection } from "next/server";

/**
 * An empty page, rendered at each request.
 * It shows the cost of the framework and the site's frame.
 */
export default async function EmptyPage() {
  await connection();
  return <p>Nothing</p>;
}
