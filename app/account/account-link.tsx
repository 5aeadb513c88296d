import { translator } from "@/lib/i18n";

/** The way back from a page below the account page, above its title. */
export function AccountLink() {
  return (
    <p className="mb-1 text-sm">
      <a href="/account">{translator("account")("title")}</a>
    </p>
  );
}
