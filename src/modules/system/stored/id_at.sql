-- The smallest row id of an instant.
CREATE OR REPLACE FUNCTION system.id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(greatest(0, floor(extract(epoch FROM at) * 1000))::bigint), 12, '0') || '00000000000000000000')::uuid
$$;
