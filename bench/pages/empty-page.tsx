import { connection } from "next/server";

/**
 * Nothing, made anew at each request.
 * What the framework and the site's frame cost by themselves.
 */
export default async function EmptyPage() {
  await connection();
  return <p>Nothing</p>;
}
