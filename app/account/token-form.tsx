"use client";

import { CopyOnce } from "@/app/_components/copy-once";
import { Form, useFormState } from "@/app/_components/form";
import { Field, SubmitButton } from "@/app/_components/form-fields";
import { type ApiScope, apiScopes, lifetimes } from "@/lib/api-tokens/scopes";
import { makeToken } from "./actions";

const may: Record<ApiScope, string> = {
  read: "Read posts, and your own ratings",
  rate: "Rate posts",
  write: "Publish posts, change and delete your own",
};

/**
 * The form for a new token, replaced by the token once created.
 * `origin` is the site's.
 */
export function TokenForm({ origin }: { origin: string }) {
  return (
    <Form action={makeToken} className="max-w-sm">
      <FieldsOrToken origin={origin} />
    </Form>
  );
}

function FieldsOrToken({ origin }: { origin: string }) {
  const { made } = useFormState();
  return made === undefined ? <Fields /> : <NewToken token={made} origin={origin} />;
}

function Fields() {
  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={60}
        help="What it is for, such as the program that uses it."
      />
      <ScopeChoice />
      <LifetimeChoice />
      <Field label="Your password" name="currentPassword" type="password" autoComplete="current-password" />
      <div>
        <SubmitButton pending="Making…">Make token</SubmitButton>
      </div>
    </div>
  );
}

function ScopeChoice() {
  const { errors, values } = useFormState();
  const chosen = (values?.scopes ?? "read").split(" ");
  const error = errors?.scopes?.[0];
  return (
    <fieldset aria-describedby={error ? "scopes-error" : undefined}>
      <legend className="mb-1.5 text-[0.9375rem] font-medium">It may</legend>
      {apiScopes.map((scope) => (
        <label key={scope} className="flex min-h-9 items-center gap-2.5">
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            defaultChecked={chosen.includes(scope)}
            className="size-4 shrink-0 accent-water"
          />
          <span>
            {may[scope]} <span className="text-sm text-quiet">({scope})</span>
          </span>
        </label>
      ))}
      {error && (
        <p id="scopes-error" className="mt-1 text-sm text-wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function LifetimeChoice() {
  const { errors, values } = useFormState();
  const error = errors?.lifetime?.[0];
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor="lifetime" className="text-[0.9375rem] font-medium">
        Good for
      </label>
      <select
        id="lifetime"
        name="lifetime"
        className="input"
        defaultValue={values?.lifetime ?? "90"}
        aria-invalid={error !== undefined}
        aria-describedby={error ? "lifetime-error" : undefined}
      >
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {lifetimeText(days)}
          </option>
        ))}
      </select>
      {error && (
        <p id="lifetime-error" className="text-sm text-wrong">
          {error}
        </p>
      )}
    </div>
  );
}

function lifetimeText(days: (typeof lifetimes)[number]): string {
  if (days === "never") return "As long as it is not revoked";
  return days === "365" ? "A year" : `${days} days`;
}

function NewToken({ token, origin }: { token: string; origin: string }) {
  return (
    <div className="flex flex-col gap-5">
      <CopyOnce id="new-token" label="New token" value={token} rows={2}>
        Copy the token now: it is not shown again.
      </CopyOnce>
      <div className="flex flex-col gap-1.5">
        <p className="text-sm text-quiet">What it can be used for, in a terminal where TOKEN holds it:</p>
        <pre className="whitespace-pre-wrap rounded-md bg-tint px-4 py-3 text-sm" dir="ltr">
          <code>
            curl -H "Authorization: Bearer $TOKEN" \{"\n"}
            {"  "}
            {origin}/api/openapi.json
          </code>
        </pre>
      </div>
      <p>
        <a href="/account">Done</a>
      </p>
    </div>
  );
}
