import { connection } from "next/server";

/** Rendered anew for each request, with as little as possible. */
export default async function EmptyPage() {
  await connection();
  return <p>Empty</p>;
}
