-- The end of an account that its company has been told of: whatever waited for the person has been passed on.
ALTER TABLE identity.member ADD COLUMN expiry_told date;
CREATE INDEX member_expiry ON identity.member (expire_date)
 WHERE expire_date IS NOT NULL AND deleted_at IS NULL AND NOT is_disabled;
