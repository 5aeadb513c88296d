import { translator } from "@/lib/i18n";

interface CopyFieldProps {
  id: string;
  label: string;
  value: string;
}

/** A line to copy: by a button where `public/copy.js` can, else by hand. */
export function CopyField({ id, label, value }: CopyFieldProps) {
  const t = translator("media");
  return (
    <div className="copy-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} readOnly value={value} dir="ltr" className="input" />
      <button type="button" className="button" aria-live="polite" data-copied={t("copied")}>
        {t("copy")}
      </button>
    </div>
  );
}
