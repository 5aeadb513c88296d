import type { Metadata } from "next";
import { EndSessionForm } from "@/app/_components/end-session-form";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { OwnFloods } from "@/app/_components/own-floods";
import { Section } from "@/app/_components/section";
import { UncountedRatings } from "@/app/_components/uncounted-ratings";
import { WaitingForApproval } from "@/app/_components/waiting-for-approval";
import { requireSession } from "@/lib/auth";
import { readNotice } from "@/lib/auth/notice";
import { userPath } from "@/lib/paths";
import { currentTime } from "@/lib/time/current-time";
import { passwordMinimum } from "@/lib/users/schema";
import { changePassword, deleteAccount } from "./actions";
import { ApiTokens } from "./api-tokens";
import { SecondFactor } from "./second-factor";
import { Sessions } from "./sessions";

export const metadata: Metadata = { title: "Your account" };

const stepsNotices: Record<string, string> = {
  app: "Your authenticator app is set up. From now on, logging in takes a second step.",
  added: "The passkey was added.",
  removed: "The passkey was removed.",
  off: "Two-step verification is off.",
};

const notices: Record<string, string> = {
  one: "That session has ended.",
  others: "All other sessions have ended.",
};

export default async function AccountPage({ searchParams }: PageProps<"/account">) {
  const session = await requireSession("/account");
  const { user } = session;
  const query = await searchParams;
  const notice = (about: "changed" | "ended" | "revoked" | "steps") =>
    readNotice(query[about], { about, reader: user, now: currentTime() });
  return (
    <>
      <h1 className="page-title">Your account</h1>
      <p className="mt-3 text-quiet">
        You are logged in as <bdi className="font-medium text-ink">{user.username}</bdi>
        {user.isAdministrator ? ", an administrator" : user.isModerator && ", a moderator"}.{" "}
        <a href={userPath(user.username)}>Your page</a>
      </p>
      {user.isPending && (
        <div className="mt-6">
          <WaitingForApproval />
        </div>
      )}
      <p role="status" className="mt-3 empty:hidden">
        {notice("changed") === "password" && (
          <>
            Your password is changed. Every other session has ended. <a href="#api-tokens">API tokens</a> go
            on.
          </>
        )}
      </p>

      <OwnFloods user={user} />
      <UncountedRatings user={user} />

      <Section title="Change password">
        <Form action={changePassword} className="flex max-w-sm flex-col gap-5">
          <Field
            label="Current password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
          />
          <Field
            label="New password"
            name="newPassword"
            type="password"
            autoComplete="new-password"
            help={`At least ${passwordMinimum} characters. Every other session will end.`}
          />
          <div>
            <SubmitButton pending="Changing…">Change password</SubmitButton>
          </div>
        </Form>
      </Section>

      <Section title="Sessions" id="sessions">
        <Sessions session={session} notice={notices[notice("ended") ?? ""]} />
      </Section>

      <Section title="Two-step verification" id="two-steps">
        <SecondFactor session={session} notice={stepsNotices[notice("steps") ?? ""]} />
      </Section>

      <Section title="API tokens" id="api-tokens">
        <ApiTokens user={user} notice={notice("revoked") === "token" ? "The token is revoked." : undefined} />
      </Section>

      <Section title="Delete account">
        <p className="mb-5 text-quiet">
          Your posts and your ratings go with it, and the scores of what you rated move back. This cannot be
          undone.
        </p>
        <EndSessionForm action={deleteAccount} userId={user.id} className="flex max-w-sm flex-col gap-5">
          <Field label="Password" name="currentPassword" type="password" autoComplete="current-password" />
          <div>
            <button type="submit" className="button text-wrong">
              Delete account
            </button>
          </div>
        </EndSessionForm>
      </Section>
    </>
  );
}
