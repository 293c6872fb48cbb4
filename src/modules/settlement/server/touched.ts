import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';

/**
 * Money lines began or ceased to count. `table` is a temporary table of the running transaction with the columns
 * account_id uuid, marketplace_id text, sku text ('' for the whole store), posted_date date; its rows are distinct.
 * `documents`: ids of the source documents whose lines they are.
 */
export const moneyTouched = event<{ table: 'touched_money'; documents: readonly string[] }>('settlement.moneyTouched');

/** Tells listeners which store days changed: all lines of the documents given, whether they count now or no longer. */
export async function touch(ctx: Ctx, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  await sql`
    CREATE TEMP TABLE IF NOT EXISTS touched_money (
      account_id uuid NOT NULL, marketplace_id text NOT NULL, sku text NOT NULL, posted_date date NOT NULL
    ) ON COMMIT DROP`.execute(ctx.db);
  await sql`TRUNCATE pg_temp.touched_money`.execute(ctx.db);
  await sql`
    INSERT INTO pg_temp.touched_money (account_id, marketplace_id, sku, posted_date)
    SELECT DISTINCT account_id, marketplace_id, sku, posted_date FROM settlement.money_line
     WHERE company_id = ${ctx.companyId} AND source_doc_id = ANY(${documentIds}::uuid[])`.execute(ctx.db);
  await emit(ctx, moneyTouched, { table: 'touched_money', documents: documentIds });
}
