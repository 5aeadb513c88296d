import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Field, SubmitButton } from "@/app/_components/form";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { localPath } from "@/lib/paths";
import { registrationChallenge } from "@/lib/users";
import { passwordMinimum } from "@/lib/users/schema";
import { register } from "./actions";
import { ChallengeForm } from "./challenge-form";

export const metadata: Metadata = { title: "Register", robots: { index: false } };

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const path = localPath((await searchParams).next);
  if (await getUser()) redirect(path);
  const { registration } = app();
  const challenge = await registrationChallenge({ registration }, Date.now());
  return (
    <div className="max-w-sm">
      <h1 className="page-title">Create an account</h1>
      <ChallengeForm
        action={register.bind(null, path)}
        challenge={challenge && JSON.stringify(challenge)}
        waitSeconds={(registration.challenge?.waitMs ?? 0) / 1_000}
      >
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
      </ChallengeForm>
      <p className="mt-8 text-quiet">
        Have an account? <a href={`/login?next=${encodeURIComponent(path)}`}>Log in</a>
      </p>
    </div>
  );
}
