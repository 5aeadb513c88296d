/**
 * The fields of a form that is sent by GET.
 * The address holds the typed values, so the server keeps none.
 */

import { TextArea } from "@/app/_components/text-area";

interface LabFieldProps {
  name: string;
  label: string;
  value: string;
  errors?: string[] | undefined;
  help?: React.ReactNode;
}

export function TextField({ inputMode, ...field }: LabFieldProps & { inputMode?: "decimal" }) {
  return (
    <Labelled {...field}>
      <input
        type="text"
        inputMode={inputMode}
        spellCheck={inputMode === "decimal" ? undefined : false}
        dir="ltr"
        defaultValue={field.value}
        {...attributesOf(field)}
      />
    </Labelled>
  );
}

export function LongTextField({
  maxLength,
  rows,
  ...field
}: LabFieldProps & { maxLength: number; rows: number }) {
  return (
    <Labelled {...field}>
      <TextArea
        rows={rows}
        maxLength={maxLength}
        spellCheck={false}
        dir="ltr"
        defaultValue={field.value}
        {...attributesOf(field)}
      />
    </Labelled>
  );
}

export function SelectField({ children, ...field }: LabFieldProps & { children: React.ReactNode }) {
  return (
    <Labelled {...field}>
      <select defaultValue={field.value} {...attributesOf(field)}>
        {children}
      </select>
    </Labelled>
  );
}

function Labelled({
  name,
  label,
  errors = [],
  help,
  children,
}: LabFieldProps & { children: React.ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children}
      {errors.length > 0 && (
        <p id={`${name}-error`} className="wrong">
          {errors.map(sentence).join(" ")}
        </p>
      )}
      {help && <p id={`${name}-help`}>{help}</p>}
    </div>
  );
}

/** "must be a number" as "Must be a number." */
function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}${/[.?!]$/.test(fault) ? "" : "."}`;
}

function attributesOf({ name, errors = [], help }: LabFieldProps) {
  const describedBy = [errors.length > 0 && `${name}-error`, help && `${name}-help`]
    .filter(Boolean)
    .join(" ");
  return {
    id: name,
    name,
    className: "input",
    "aria-invalid": errors.length > 0 || undefined,
    "aria-describedby": describedBy || undefined,
  };
}
