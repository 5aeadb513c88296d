"use server";

import { redirect } from "next/navigation";
import { endSession } from "@/lib/auth";

export async function logOut(): Promise<never> {
  await endSession();
  return redirect("/");
}
