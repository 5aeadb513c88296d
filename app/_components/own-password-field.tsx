import { translator } from "@/lib/i18n";
import { CurrentPasswordField } from "./form-fields";

interface OwnPasswordFieldProps {
  help?: string;
  optional?: boolean;
}

/** The user's own password, to confirm an action: one label on all pages. */
export function OwnPasswordField(props: OwnPasswordFieldProps) {
  return <CurrentPasswordField label={translator("account")("confirmation.label")} {...props} />;
}
