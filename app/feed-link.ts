/** Where the feed is, for the `alternates` of every page's metadata: a page that has its own replaces the layout's. */
export const feedLink = { "application/atom+xml": "/feed.xml" };
