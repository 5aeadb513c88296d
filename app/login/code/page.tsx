import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Form } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { app } from "@/lib/app";
import { getUser, sentTicket } from "@/lib/auth";
import { translator } from "@/lib/i18n";
import { localPath, logInPath } from "@/lib/paths";
import { trustedOrigin } from "@/lib/request/site-origin";
import { secondStepOf } from "@/lib/second-factor/passkey-log-in";
import { passkeySite } from "@/lib/second-factor/webauthn";
import { currentTime } from "@/lib/time/current-time";
import { enterCode } from "../actions";
import { PasskeyButton } from "./passkey-button";

export function generateMetadata(): Metadata {
  return { title: translator("logIn")("code.title"), robots: { index: false } };
}

export default async function CodePage({ searchParams }: PageProps<"/login/code">) {
  const path = localPath((await searchParams).next);
  if (await getUser()) redirect(path);
  const t = translator("logIn");
  const ticket = await sentTicket();
  if (ticket === "")
    return (
      <div className="max-w-sm">
        <h1 className="page-title">{t("code.heading")}</h1>
        <p className="mt-3">{t("code.tooLate")}</p>
        <BackToPassword path={path} />
      </div>
    );
  const { passkeyOptions, hasApp } = await secondStepOf(app(), {
    ticket,
    site: passkeySite(await trustedOrigin()),
    now: currentTime(),
  });
  return (
    <div className="max-w-sm">
      <h1 className="page-title">{t("code.heading")}</h1>
      <p className="mt-3 text-quiet">{t("code.intro")}</p>
      <Form action={enterCode.bind(null, path)} className="mt-8 flex flex-col gap-5">
        {passkeyOptions !== undefined && (
          <PasskeyButton
            options={passkeyOptions}
            texts={{
              use: t("passkey.use"),
              unused: t("passkey.unused"),
              needsJavaScript: t("passkey.needsJavaScript"),
            }}
          />
        )}
        <Field
          label={t("code.label")}
          name="code"
          autoComplete="one-time-code"
          maxLength={40}
          help={hasApp ? t("code.helpApp") : t("code.helpRecovery")}
        />
        <div>
          <SubmitButton pending={t("submitting")}>{t("submit")}</SubmitButton>
        </div>
      </Form>
      <BackToPassword path={path} />
    </div>
  );
}

function BackToPassword({ path }: { path: string }) {
  return (
    <p className="mt-8 text-quiet">
      <a href={logInPath(path)}>{translator("logIn")("code.back")}</a>
    </p>
  );
}
