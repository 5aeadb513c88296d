import { Form } from "@/app/_components/form";
import { SubmitButton } from "@/app/_components/form-fields";
import { translator } from "@/lib/i18n";
import { acceptInvitation } from "./actions";

/** For a logged-in reader with an invitation to write. */
export function AcceptInvitation({ username, token }: { username: string; token: string }) {
  const t = translator("register");
  return (
    <div className="max-w-prose">
      <h1 className="page-title">{t("accept.title")}</h1>
      <p className="mt-4 mb-6">{t.rich("accept.text", { name: () => <bdi>{username}</bdi> })}</p>
      <Form action={acceptInvitation.bind(null, token)}>
        <SubmitButton pending={t("accept.pending")}>{t("accept.button")}</SubmitButton>
      </Form>
    </div>
  );
}
