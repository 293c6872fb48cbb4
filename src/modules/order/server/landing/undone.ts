import { sql } from 'kysely';
import { emit, on } from '#kit/server/events.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { foldDays, openTouched, ordersTouched } from './derive.ts';

/** An upload of orders was undone: the days and slots of its lines, as they were and as they are, are counted anew. */
export const onUploadUndone = on(uploadUndone, async (ctx) => {
  await openTouched(ctx);
  const { numAffectedRows } = await sql`
    INSERT INTO pg_temp.touched_orders
    SELECT DISTINCT (i.row ->> 'account_id')::uuid, i.row ->> 'marketplace_id', (i.row ->> 'local_date')::date,
           i.row ->> 'seller_sku', date_bin('30 minutes', (i.row ->> 'purchased_at')::timestamptz, 'epoch')
      FROM pg_temp.undone_row AS u
     CROSS JOIN LATERAL (VALUES (u.before), (u.after)) AS i (row)
     WHERE u.relation = '"order".amazon_order_line' AND i.row IS NOT NULL`.execute(ctx.db);
  if (!numAffectedRows) return;
  await foldDays(ctx);
  await emit(ctx, ordersTouched, { table: 'touched_orders' });
});
