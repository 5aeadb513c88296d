/** The front page and other lists of posts. */
export const home = {
  posts: "Posts",
  tagline: "Posts to read, and scores you can rely on.",
  promise:
    "Readers rate every post. Scores here move slowly, so a sudden crowd can’t swing them. <link>See it happen</link>",
  order: "Order",
  sort: { newest: "Newest", top: "Top", "most-rated": "Most rated" },
  search: "Search",
  searchPosts: "Search posts",
  searched: "Search: {search}",
  searchUnavailable: "The site cannot search at the moment. Try again in a few seconds.",
  pages: "Pages",
  firstPage: "First page",
  morePosts: "More posts",
  readingTime: "{minutes, number} min read",
  youGave: "You gave {score, number}",
  empty: {
    title: "Nothing has been written here yet.",
    write: "Write the first post: a title and a text in Markdown. Readers who register can then rate it.",
    writeButton: "Write the first post",
    logIn: "Log in to write the first post.",
    logInWriters: "If you can write here, log in and write the first post.",
    logInButton: "Log in",
    reader: "The first post will be on this page as soon as it is published.",
    register:
      "Create an account to begin: the first one is the administrator’s. Then set up the site and write the first post.",
    setUp: "Or set up the site first: its name, its language and who may write",
    registerButton: "Create the first account",
    demo: "To look around a blog that is full of posts and ratings, stop this one and run <code>npm run demo</code>.",
  },
  nothingFound: "No post matches “<search></search>”. Try fewer words, or only the beginning of a word.",
} as const;
