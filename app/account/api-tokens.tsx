import { Form } from "@/app/_components/form";
import { Day } from "@/app/_components/time";
import { apiTokensOf, type ListedToken } from "@/lib/api-tokens";
import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { siteOrigin } from "@/lib/request/site-origin";
import { currentTime } from "@/lib/time/current-time";
import type { User } from "@/lib/users";
import { revokeToken } from "./actions";
import { TokenForm } from "./token-form";

/**
 * The user's API tokens and the form for a new one.
 * `notice` is about the last action.
 */
export async function ApiTokens({ user, notice }: { user: User; notice: string | undefined }) {
  const tokens = await apiTokensOf(app(), user, currentTime());
  const t = translator("account");
  return (
    <>
      <p className="mb-5 text-quiet">
        {t.rich("tokens.intro", { link: (text) => <a href="/api/openapi.json">{text}</a> })}
      </p>
      <p role="status" className="mb-4 empty:hidden">
        {notice === "token" && t("tokens.revoked")}
      </p>
      {tokens.length > 0 && (
        <ul className="mb-8 divide-y divide-hairline border-y border-hairline">
          {tokens.map((token) => (
            <TokenRow key={token.id} {...token} />
          ))}
        </ul>
      )}
      <TokenForm origin={await siteOrigin()} isAdministrator={user.isAdministrator} />
    </>
  );
}

function TokenRow({ id, name, scopes, createdAt, lastUsedAt, expiresAt, isExpired }: ListedToken) {
  const t = translator("account");
  const on = (at: number) => ({ day: () => <Day at={at} /> });
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium">
          <bdi>{name}</bdi>
        </h3>
        <p className="mt-1 text-sm text-quiet">
          <bdi>{scopes.join(", ")}</bdi>
          {" · "}
          {t.rich("tokens.created", on(createdAt))}
          {" · "}
          {lastUsedAt === null ? t("tokens.neverUsed") : t.rich("tokens.lastUsed", on(lastUsedAt))}
          {" · "}
          {expiresAt === null ? (
            t("tokens.neverExpires")
          ) : isExpired ? (
            <span className="text-wrong">{t.rich("tokens.expired", on(expiresAt))}</span>
          ) : (
            t.rich("tokens.expires", on(expiresAt))
          )}
        </p>
      </div>
      <Form action={revokeToken.bind(null, id)}>
        <button type="submit" className="button">
          {t("tokens.revoke")}
          <span className="sr-only"> {name}</span>
        </button>
      </Form>
    </li>
  );
}
