import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { KeptChoice } from "@/app/_components/kept-choice";
import { app } from "@/lib/app";
import { getUser } from "@/lib/auth";
import { localPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { registrationChallenge } from "@/lib/users";
import { isOpenInvitation } from "@/lib/users/invitations";
import { passwordMinimum } from "@/lib/users/schema";
import { register } from "./actions";
import { ChallengeForm } from "./challenge-form";
import { RegistrationNotice } from "./registration-notice";

export const metadata: Metadata = { title: "Register", robots: { index: false } };

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const { next, invitation } = await searchParams;
  const path = localPath(next);
  if (await getUser()) redirect(path);
  const context = app();
  const { mode, challenge: settings } = context.registration;
  const now = currentTime();
  const token = typeof invitation === "string" && mode !== "open" ? invitation : undefined;
  const isInvited = token !== undefined && (await isOpenInvitation(context, token, now));
  const isOpen = mode === "open" || isInvited || (mode === "approval" && token === undefined);
  const challenge = isOpen ? await registrationChallenge(context, now) : null;
  return (
    <div className="max-w-sm">
      <h1 className="page-title">Create an account</h1>
      <KeptChoice path={path} />
      <RegistrationNotice
        mode={mode}
        invitation={isInvited ? "open" : token === undefined ? "none" : "bad"}
      />
      {isOpen && mode !== "closed" && (
        <ChallengeForm
          action={register.bind(null, path, token ?? null)}
          challenge={challenge && JSON.stringify(challenge)}
          waitSeconds={(settings?.waitMs ?? 0) / 1_000}
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
            help={`At least ${passwordMinimum} characters: no common password, not your name or email.`}
          />
          <div>
            <SubmitButton pending="Creating the account…">Create account</SubmitButton>
          </div>
        </ChallengeForm>
      )}
      <p className="mt-8 text-quiet">
        Have an account? <a href={`/login?next=${encodeURIComponent(path)}`}>Log in</a>
      </p>
    </div>
  );
}
