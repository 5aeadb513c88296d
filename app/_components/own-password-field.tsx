import { translator } from "@/lib/i18n";
import { CurrentPasswordField } from "./form-fields";

/** The user's own password, to confirm an action: one label on all pages. */
export function OwnPasswordField({ help }: { help?: string }) {
  return <CurrentPasswordField label={translator("account")("confirmation.label")} help={help} />;
}
