-- What a draft said when it was planned: another content is not sent by itself. Plans made before hold what the draft says now.
ALTER TABLE publish.draft ADD COLUMN scheduled_content text;
UPDATE publish.draft SET scheduled_content = md5(attributes::text || base::text) WHERE submit_at IS NOT NULL;
