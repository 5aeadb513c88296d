import { Form, type FormAction } from "./form";
import { SubmitButton } from "./form-fields";

/** The token in a link's address, and whether the link has just been used. */
export function linkParameters({ token, done }: Record<string, string | string[] | undefined>) {
  return { token: typeof token === "string" ? token : "", isDone: done !== undefined };
}

interface LinkPageProps {
  title: string;
  /** The text of a link that has just been used. */
  done: React.ReactNode;
  /** The text of a link that cannot be used. */
  expired: React.ReactNode;
  intro: React.ReactNode;
  action: FormAction;
  submit: React.ReactNode;
  submitting: string;
  /** Fields above the button. */
  children?: React.ReactNode;
}

/**
 * The page of a link in an email; shows the first of its texts that is set.
 * It has a button, because mail servers open links.
 */
export function LinkPage({
  title,
  done,
  expired,
  intro,
  action,
  submit,
  submitting,
  children,
}: LinkPageProps) {
  const button = <SubmitButton pending={submitting}>{submit}</SubmitButton>;
  return (
    <div className="max-w-md">
      <h1 className="page-title">{title}</h1>
      {done ? (
        <p role="status" className="mt-3">
          {done}
        </p>
      ) : expired ? (
        <p className="mt-3">{expired}</p>
      ) : (
        <>
          <p className="mt-3 text-quiet">{intro}</p>
          <Form action={action} className={children ? "mt-8 flex flex-col gap-5" : "mt-8"}>
            {children}
            {children ? <div>{button}</div> : button}
          </Form>
        </>
      )}
    </div>
  );
}
