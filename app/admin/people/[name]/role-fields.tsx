"use client";

import { useFormState } from "@/app/_components/form";
import { CurrentPasswordField, Field, SubmitButton } from "@/app/_components/form-fields";

interface RoleFieldsProps {
  current: string;
  /** Each role's value and name. */
  roles: readonly [value: string, name: string][];
  texts: Record<"role" | "why" | "whyHelp" | "change" | "changing" | "password" | "passwordHelp", string>;
}

/** The fields for another role and its reason. */
export function RoleFields({ current, roles, texts }: RoleFieldsProps) {
  const { values } = useFormState();
  return (
    <>
      <div className="flex w-full flex-col gap-1.5">
        <label htmlFor="new-role" className="text-[0.9375rem] font-medium">
          {texts.role}
        </label>
        <select id="new-role" name="role" className="input" defaultValue={values?.role ?? current}>
          {roles.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="w-full">
        <Field label={texts.why} name="why" rows={2} autoComplete="off" help={texts.whyHelp} />
      </div>
      <div
        className={
          // Without style sheets, and in browsers without `:has()`, it is always there.
          current === "administrator"
            ? "w-full"
            : "w-full group-not-has-[option[value=administrator]:checked]:hidden"
        }
      >
        <CurrentPasswordField label={texts.password} help={texts.passwordHelp} optional />
      </div>
      <SubmitButton pending={texts.changing}>{texts.change}</SubmitButton>
    </>
  );
}
