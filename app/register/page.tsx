import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Field, Form, SubmitButton } from "@/app/_components/form";
import { getUser } from "@/lib/auth";
import { localPath } from "@/lib/paths";
import { passwordMinimum } from "@/lib/users/schema";
import { register } from "./actions";

export const metadata: Metadata = { title: "Register", robots: { index: false } };

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const path = localPath((await searchParams).next);
  if (await getUser()) redirect(path);
  return (
    <div className="max-w-sm">
      <h1 className="page-title">Create an account</h1>
      <Form action={register.bind(null, path)} className="mt-8 flex flex-col gap-5">
        <Field
          label="Username"
          name="username"
          autoComplete="username"
          help="Shown beside what you write: letters and digits of any script, and . _ -"
        />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          help="Never shown to other users."
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          help={`At least ${passwordMinimum} characters.`}
        />
        <div>
          <SubmitButton pending="Creating the account…">Create account</SubmitButton>
        </div>
      </Form>
      <p className="mt-8 text-quiet">
        Have an account? <a href={`/login?next=${encodeURIComponent(path)}`}>Log in</a>
      </p>
    </div>
  );
}
