import { app } from "@/lib/app";
import { type LabQuery, labPath } from "@/lib/lab/address";
import { pastedMaximum } from "@/lib/lab/pasted";
import { type KnownTraceName, knownTraces } from "@/lib/lab/traces";
import { formatNumber } from "@/lib/limiter/text";
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
  return (
    <div className="flex flex-col gap-5">
      <SelectField name="trace" label="Trace" value={query.trace} errors={errors.trace}>
        <optgroup label="Simulated">
          <Options names={simulated} />
        </optgroup>
        <optgroup label="Demonstrations">
          <Options names={demonstrations} />
        </optgroup>
        <optgroup label="Yours">
          <option value="post">The recorded tries of a post of yours</option>
          <option value="times">A pasted list of times</option>
        </optgroup>
      </SelectField>
      <div className="hidden group-has-[option[value=times]:checked]/lab:block">
        <LongTextField
          name="times"
          label="Times"
          value={query.times}
          errors={errors.times}
          rows={6}
          maxLength={pastedMaximum.characters}
          help={
            <>
              One per line, or parted by commas: seconds (<code>12.5</code>), milliseconds (
              <code>12500ms</code>, or since 1970), or dates with a time (<code>2026-01-05T12:00:00Z</code>).
              At most {formatNumber(pastedMaximum.times)} times in {formatNumber(pastedMaximum.characters)}{" "}
              characters, because they travel in the page’s address.
            </>
          }
        />
      </div>
      <div className="hidden group-has-[option[value=post]:checked]/lab:block">
        <PostField query={query} errors={errors} user={user} />
      </div>
      <details className="-mt-2 text-sm">
        <summary className="text-quiet">What the traces are</summary>
        <dl className="mt-3 flex flex-col gap-3">
          {[...simulated, ...demonstrations].map((name) => (
            <div key={name}>
              <dt>
                <a href={`${labPath({ ...query, trace: name, from: "", to: "" })}#results`}>
                  {knownTraces[name].title}
                </a>
              </dt>
              <dd className="text-quiet">{knownTraces[name].about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

function Options({ names }: { names: KnownTraceName[] }) {
  return names.map((name) => (
    <option key={name} value={name}>
      {knownTraces[name].title}
    </option>
  ));
}

async function PostField({ query, errors, user }: TraceFieldsProps) {
  if (!user)
    return (
      <p className="text-quiet">
        <a href={`/login?next=${encodeURIComponent(labPath({ ...query, trace: "post" }))}`}>Log in</a> to see
        the attempts to rate your own posts. Other users cannot see them.
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
  if (posts.length === 0)
    return <p className="text-quiet">You have written no post yet whose tries could be shown.</p>;
  return (
    <SelectField name="post" label="Post" value={query.post} errors={errors.post}>
      <option value="">Choose one</option>
      {query.post && !isListed && <option value={query.post}>{query.post}</option>}
      {posts.map(({ slug, title }) => (
        <option key={slug} value={slug}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}
