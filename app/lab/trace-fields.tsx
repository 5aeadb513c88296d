import { app } from "@/lib/app";
import { translator } from "@/lib/i18n";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { pastedMaximum } from "@/lib/lab/pasted";
import type { KnownTraceName } from "@/lib/lab/traces";
import { logInPath } from "@/lib/paths";
import { listPosts } from "@/lib/posts";
import type { User } from "@/lib/users";
import type { FieldErrors } from "@/lib/validation";
import { LongTextField, SelectField } from "./fields";

const simulated: KnownTraceName[] = ["flood", "campaign", "surge", "crowd"];
const demonstrations: KnownTraceName[] = ["locker", "edge", "tokens", "instant", "gaps"];
const postsMaximum = 50;

interface TraceFieldsProps {
  query: LabQuery;
  errors: FieldErrors;
  user: User | null;
}

/** The choice of a trace, with only the fields that the chosen one uses. */
export function TraceFields({ query, errors, user }: TraceFieldsProps) {
  const t = translator("lab");
  return (
    <div className="flex flex-col gap-5">
      <SelectField name="trace" label={t("form.trace")} value={query.trace} errors={errors.trace}>
        <optgroup label={t("form.simulated")}>
          <Options names={simulated} />
        </optgroup>
        <optgroup label={t("form.demonstrations")}>
          <Options names={demonstrations} />
        </optgroup>
        <optgroup label={t("form.yours")}>
          <option value="post">{t("form.ofPost")}</option>
          <option value="times">{t("form.pastedTimes")}</option>
        </optgroup>
      </SelectField>
      <div className="hidden group-has-[option[value=times]:checked]/lab:block">
        <LongTextField
          name="times"
          label={t("form.times")}
          value={query.times}
          errors={errors.times}
          rows={6}
          // One more than may be pasted: the answer then refuses a longer paste, with its text in the field.
          maxLength={pastedMaximum.characters + 1}
          help={t.rich("form.timesHelp", { ...pastedMaximum, code: (chunks) => <code>{chunks}</code> })}
        />
      </div>
      <div className="hidden group-has-[option[value=post]:checked]/lab:block">
        <PostField query={query} errors={errors} user={user} />
      </div>
      <details className="-mt-2 text-sm">
        <summary className="text-quiet">{t("form.about")}</summary>
        <dl className="mt-3 flex flex-col gap-3">
          {[...simulated, ...demonstrations].map((name) => (
            <div key={name}>
              <dt>
                <a href={`${labPath({ ...query, trace: name, from: "", to: "" })}#results`}>
                  {t(`trace.${name}.title`)}
                </a>
              </dt>
              <dd className="text-quiet">{t(`trace.${name}.about`)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function Options({ names }: { names: KnownTraceName[] }) {
  const t = translator("lab");
  return names.map((name) => (
    <option key={name} value={name}>
      {t(`trace.${name}.title`)}
    </option>
  ));
}

async function PostField({ query, errors, user }: TraceFieldsProps) {
  const t = translator("lab");
  if (!user)
    return (
      <p className="text-quiet">
        {t.rich("form.logIn", {
          link: (chunks) => <a href={logInPath(labPath({ ...query, trace: "post" }))}>{chunks}</a>,
        })}
      </p>
    );
  const page = await listPosts(app(), {
    sort: "newest",
    limit: postsMaximum,
    authorId: user.id,
    viewerId: user.id,
  });
  const posts = page?.items ?? [];
  const isListed = posts.some(({ slug }) => slug === query.post);
  if (posts.length === 0) return <p className="text-quiet">{t("form.noPosts")}</p>;
  return (
    <SelectField name="post" label={t("form.post")} value={query.post} errors={errors.post}>
      <option value="">{t("form.choose")}</option>
      {query.post && !isListed && <option value={query.post}>{query.post}</option>}
      {posts.map(({ slug, title }) => (
        <option key={slug} value={slug}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}
