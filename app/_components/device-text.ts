import { translator } from "@/lib/i18n";
import { unknownDevice } from "@/lib/sessions/device";

/** A saved description, such as "Firefox on Linux", in the reader's language. */
export function deviceText(device: string): string {
  const t = translator("account");
  if (device === unknownDevice) return t("sessions.unknownDevice");
  const [, program, system] = /^(.+) on (.+)$/.exec(device) ?? [];
  return program && system ? t("sessions.device", { program, system }) : device;
}
