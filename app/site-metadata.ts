/** The feed's link, for pages whose own `alternates` replace the layout's. */
export const feedLink = { "application/atom+xml": "/feed.xml" };

/**
 * The default image of shared links.
 * For pages whose own `openGraph` replaces the layout's. Its URL must be absolute: only for a site that knows its
 * origin.
 */
export const socialImage = { url: "/social.png", width: 1200, height: 630, alt: "Weir" };
