/** The feed's link, for pages whose own `alternates` replace the layout's. */
export const feedLink = { "application/atom+xml": "/feed.xml" };
