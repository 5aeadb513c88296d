import { postPath, userPath } from "@/lib/paths";
import type { Post } from "@/lib/posts";
import { type PublicScore, ratingsForScore } from "@/lib/ratings/tally/public-score";
import { trustedOrigin } from "@/lib/request/site-origin";

/**
 * The post as data for search engines (schema.org).
 * Contains the score from five ratings on.
 */
export async function StructuredData({ post, score }: { post: Post; score: PublicScore }) {
  const origin = (await trustedOrigin()) ?? "";
  const url = origin + postPath(post.slug);
  const data = {
    "@context": "https://schema.org",
    "@type": "BlogPosting",
    headline: post.title,
    url,
    mainEntityOfPage: url,
    datePublished: new Date(post.publishedAt ?? post.createdAt).toISOString(),
    dateModified: new Date(post.updatedAt).toISOString(),
    author: { "@type": "Person", name: post.author, url: origin + userPath(post.author) },
    ...(score.settled !== null &&
      score.count >= ratingsForScore && {
        aggregateRating: {
          "@type": "AggregateRating",
          ratingValue: Number(score.settled.toFixed(2)),
          bestRating: 5,
          worstRating: 0,
          ratingCount: score.count,
        },
      }),
  };
  // In a script element only "<" could end the data, or begin a comment.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: as text React would escape the quotes, which a script's content keeps
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
