import type pg from 'pg';

/** What of a world's synchronisation is still to come, in words; empty once everything asked for since then has been read. */
export async function unread(admin: pg.Client, since: Date): Promise<string[]> {
  const { rows } = await admin.query<{ what: string }>(
    `SELECT stream || ' ' || state || coalesce(' ' || last_error, '') AS what FROM marketplace.sync_cursor
      WHERE state <> 'ready' OR last_success_at IS NULL OR last_success_at < $1
      UNION ALL
     SELECT plan || ' ' || status FROM marketplace.report_request
      WHERE status IN ('planned', 'requested', 'ready', 'downloaded')`,
    [since],
  );
  return rows.map(({ what }) => what);
}

/** What workers were doing at this moment, by kind of job. */
export async function underWay(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT t.identifier || coalesce(' ' || c.stream, ' ' || r.status, '') AS name
       FROM graphile_worker._private_jobs AS j
       JOIN graphile_worker._private_tasks AS t ON t.id = j.task_id
       LEFT JOIN marketplace.sync_cursor AS c ON c.id::text = j.payload ->> 'cursorId'
       LEFT JOIN marketplace.report_request AS r ON r.id::text = j.payload ->> 'requestId'
      WHERE j.locked_at IS NOT NULL`,
  );
  return rows.map(({ name }) => name);
}

/** What a day of waiting does: every report and feed that the marketplace has in hand was handed in a day earlier. */
export async function dayPasses(admin: pg.Client): Promise<void> {
  await admin.query(
    `UPDATE marketplace.feed SET submitted_at = submitted_at - interval '25 hours' WHERE status = 'submitted'`,
  );
  await admin.query(
    `UPDATE marketplace.report_request SET requested_at = requested_at - interval '25 hours' WHERE status = 'requested'`,
  );
}

/** What an hour of waiting does: the tokens that were asked for are over. */
export async function tokensExpire(admin: pg.Client): Promise<void> {
  await admin.query(`UPDATE marketplace.seller_account SET access_expires_at = to_timestamp(0)`);
}
