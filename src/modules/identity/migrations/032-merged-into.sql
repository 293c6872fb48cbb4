-- The company that took another one in is named for who looks it up; rows of two companies do not refer to each other.
ALTER TABLE identity.company DROP CONSTRAINT company_merged_into_fkey;
