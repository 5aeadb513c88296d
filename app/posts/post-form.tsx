import { Field, Form, type FormAction, SubmitButton } from "@/app/_components/form";
import { titleMaximum } from "@/lib/posts/schema";

interface PostFormProps {
  action: FormAction;
  post?: { title: string; content: string };
  submit: string;
  submitting: string;
}

/** The form for a new or existing post. */
export function PostForm({ action, post, submit, submitting }: PostFormProps) {
  return (
    <Form action={action} className="mt-8 flex flex-col gap-6">
      <Field
        label="Title"
        name="title"
        defaultValue={post?.title ?? ""}
        maxLength={titleMaximum}
        autoComplete="off"
      />
      <Field
        label="Content"
        name="content"
        defaultValue={post?.content ?? ""}
        rows={18}
        help="In Markdown: ## heading, *emphasis*, **strong**, [link](https://…), - list, > quotation, tables."
      />
      <div>
        <SubmitButton pending={submitting}>{submit}</SubmitButton>
      </div>
    </Form>
  );
}
