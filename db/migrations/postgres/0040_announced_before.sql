-- Posts from before announcements: as if they had been announced, so listing one again announces nothing.
INSERT INTO announced_posts (post_id, at) SELECT id, 0 FROM posts WHERE published_at IS NOT NULL ON CONFLICT DO NOTHING;
