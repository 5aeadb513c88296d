import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { KeptChoice } from "@/app/_components/kept-choice";
import { getUser, loggedOutReader } from "@/lib/auth";
import { readNotice } from "@/lib/auth/notice";
import { localPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { logIn } from "./actions";

export const metadata: Metadata = { title: "Log in", robots: { index: false } };

export default async function LogInPage({ searchParams }: PageProps<"/login">) {
  const { next, ended } = await searchParams;
  const path = localPath(next);
  if (await getUser()) redirect(path);
  const reader = await loggedOutReader();
  const notice = readNotice(ended, { about: "ended", reader, now: currentTime() });
  return (
    <div className="max-w-sm">
      <h1 className="page-title">Log in</h1>
      <p role="status" className="mt-3 text-quiet empty:hidden">
        {notice === "everywhere" && "You are logged out everywhere."}
        {notice === "here" && "You are logged out."}
      </p>
      <KeptChoice path={path} />
      <Form action={logIn.bind(null, path)} className="mt-8 flex flex-col gap-5">
        <Field label="Username" name="username" autoComplete="username" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
        <div>
          <SubmitButton pending="Logging in…">Log in</SubmitButton>
        </div>
      </Form>
      <p className="mt-8 text-quiet">
        No account yet? <a href={`/register?next=${encodeURIComponent(path)}`}>Register</a>
      </p>
    </div>
  );
}
