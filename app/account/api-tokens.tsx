import { Form } from "@/app/_components/form";
import { Day } from "@/app/_components/time";
import { apiTokensOf, type ListedToken } from "@/lib/api-tokens";
import { app } from "@/lib/app";
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
  return (
    <>
      <p className="mb-5 text-quiet">
        With a token a program acts in your name, through the <a href="/api/openapi.json">API</a>, as far as
        you allow. It never reaches your account itself. It goes on when you change your password or log out,
        until you revoke it or it expires.
      </p>
      <p role="status" className="mb-4 empty:hidden">
        {notice}
      </p>
      {tokens.length > 0 && (
        <ul className="mb-8 divide-y divide-hairline border-y border-hairline">
          {tokens.map((token) => (
            <TokenRow key={token.id} {...token} />
          ))}
        </ul>
      )}
      <TokenForm origin={await siteOrigin()} />
    </>
  );
}

function TokenRow({ id, name, scopes, createdAt, lastUsedAt, expiresAt, isExpired }: ListedToken) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium">
          <bdi>{name}</bdi>
        </h3>
        <p className="mt-1 text-sm text-quiet">
          <bdi dir="ltr">
            {scopes.join(", ")} · made <Day at={createdAt} /> ·{" "}
            {lastUsedAt === null ? (
              "never used"
            ) : (
              <>
                last used <Day at={lastUsedAt} />
              </>
            )}{" "}
            ·{" "}
            {expiresAt === null ? (
              "never expires"
            ) : (
              <span className={isExpired ? "text-wrong" : undefined}>
                {isExpired ? "expired" : "expires"} <Day at={expiresAt} />
              </span>
            )}
          </bdi>
        </p>
      </div>
      <Form action={revokeToken.bind(null, id)}>
        <button type="submit" className="button">
          Revoke<span className="sr-only"> {name}</span>
        </button>
      </Form>
    </li>
  );
}
