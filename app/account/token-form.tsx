import { Form } from "@/app/_components/form";
import { Choices, Field, Select, SubmitButton } from "@/app/_components/form-fields";
import { OwnPasswordField } from "@/app/_components/own-password-field";
import { UntilMade } from "@/app/_components/until-made";
import { apiScopes, lifetimes } from "@/lib/api-tokens/scopes";
import { translator } from "@/lib/i18n";
import { makeToken } from "./actions";

/**
 * The form for a new token, replaced by the token once created.
 * `origin` is the site's. Only administrators can give a token their rights.
 */
export function TokenForm({ origin, isAdministrator }: { origin: string; isAdministrator: boolean }) {
  const t = translator("account");
  return (
    <Form action={makeToken} className="max-w-sm">
      <UntilMade
        secret={{ id: "new-token", label: t("tokens.newToken"), help: t("tokens.copyNow"), rows: 2 }}
        after={<AfterToken origin={origin} />}
      >
        <Field
          label={t("tokens.name")}
          name="name"
          autoComplete="off"
          maxLength={60}
          help={t("tokens.nameHelp")}
        />
        <Choices
          legend={t("tokens.scopes")}
          name="scopes"
          type="checkbox"
          chosen="read"
          choices={apiScopes
            .filter((scope) => scope !== "admin" || isAdministrator)
            .map((scope) => ({
              value: scope,
              label: (
                <>
                  {t(`tokens.scope.${scope}`)} <bdi className="text-sm text-quiet">{`(${scope})`}</bdi>
                </>
              ),
            }))}
        />
        <Select
          label={t("tokens.lifetime")}
          name="lifetime"
          defaultValue="90"
          options={lifetimes.map((days) => ({ value: days, label: lifetimeText(days) }))}
        />
        <OwnPasswordField />
        <div>
          <SubmitButton pending={t("tokens.creating")}>{t("tokens.create")}</SubmitButton>
        </div>
      </UntilMade>
    </Form>
  );
}

function lifetimeText(days: (typeof lifetimes)[number]): string {
  const t = translator("account");
  if (days === "never") return t("tokens.lifetimeEndless");
  return days === "365" ? t("tokens.lifetimeYear") : t("tokens.lifetimeDays", { days: Number(days) });
}

function AfterToken({ origin }: { origin: string }) {
  const t = translator("account");
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <p className="text-sm text-quiet">{t("tokens.example")}</p>
        <pre className="whitespace-pre-wrap rounded-md bg-tint px-4 py-3 text-sm" dir="ltr">
          <code>{`curl -H "Authorization: Bearer $TOKEN" \\\n  ${origin}/api/openapi.json`}</code>
        </pre>
      </div>
      <p>
        <a href="/account">{t("tokens.done")}</a>
      </p>
    </>
  );
}
