/** The front page of an empty blog. */
export function FirstSteps({ isLoggedIn, hasAccounts }: { isLoggedIn: boolean; hasAccounts: boolean }) {
  return (
    <div className="py-8">
      <p className="page-title">Nothing has been written here yet.</p>
      {isLoggedIn ? (
        <>
          <p className="mt-4 max-w-prose text-quiet">
            Write the first post: a title and a text in Markdown. Readers who register can then rate it.
          </p>
          <a href="/posts/new" className="button button-primary mt-6">
            Write the first post
          </a>
        </>
      ) : (
        <>
          <p className="mt-4 max-w-prose text-quiet">
            {hasAccounts
              ? "Log in to write the first post."
              : "Create an account to begin: the first one is the administrator’s. Then write the first post."}
          </p>
          <a
            href={hasAccounts ? "/login?next=/posts/new" : "/register?next=/posts/new"}
            className="button button-primary mt-6"
          >
            {hasAccounts ? "Log in" : "Create the first account"}
          </a>
          {!hasAccounts && (
            <p className="mt-8 max-w-prose text-sm text-quiet">
              To look around a blog that is full of posts and ratings, stop this one and run{" "}
              <code>npm run demo</code>.
            </p>
          )}
        </>
      )}
    </div>
  );
}

export function NothingFound({ search }: { search: string }) {
  return (
    <p className="border-y border-hairline py-8 text-quiet">
      No post has all of <bdi className="font-medium text-ink">{search}</bdi>. Try fewer words, or the
      beginning of one.
    </p>
  );
}
