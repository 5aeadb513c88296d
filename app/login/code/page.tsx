import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { getUser, sentTicket } from "@/lib/auth";
import { localPath } from "@/lib/paths";
import { trustedOrigin } from "@/lib/request/site-origin";
import { logInOptions, logsInWithPasskeysOnly } from "@/lib/second-factor/passkey-log-in";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { currentTime } from "@/lib/time/current-time";
import { enterCode } from "../actions";
import { PasskeyButton } from "./passkey-button";

export const metadata: Metadata = { title: "Log in: second step", robots: { index: false } };

export default async function CodePage({ searchParams }: PageProps<"/login/code">) {
  const path = localPath((await searchParams).next);
  if (await getUser()) redirect(path);
  const pending = { ticket: await sentTicket(), now: currentTime() };
  const options = await logInOptions(app(), { ...pending, site: passkeySite(await trustedOrigin()) });
  const hasPasskeysOnly = await logsInWithPasskeysOnly(app(), pending);
  return (
    <div className="max-w-sm">
      <h1 className="page-title">One more step</h1>
      <Form action={enterCode.bind(null, path)} className="mt-8 flex flex-col gap-5">
        {options !== undefined && <PasskeyButton options={options} />}
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
          help={
            hasPasskeysOnly
              ? "One of your recovery codes."
              : "The six digits that your authenticator app shows, or one of your recovery codes."
          }
        />
        <div>
          <SubmitButton pending="Logging in…">Log in</SubmitButton>
        </div>
      </Form>
      <p className="mt-8 text-quiet">
        <a href={`/login?next=${encodeURIComponent(path)}`}>Back to the password</a>
      </p>
    </div>
  );
}
