import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';

interface Wanted {
  /** Names the stock, for ever. */
  code: string;
  /** As people read it; a store that is renamed keeps the name that its warehouse was made with. */
  name: string;
  /** ISO 3166, where it stands. */
  country: string;
}

/** Code of the warehouse that stands for the stock of an account that sites share, e.g. "EU". */
export const fbaCode = (account: string, stock: string): string => `FBA-${account.slice(-12)}-${stock}`;

/**
 * The warehouse that stands for a stock at Amazon's, made when it is first asked for. Nobody writes documents for it: pieces
 * come by ship orders and go by Amazon's own books. Answers its id.
 */
export async function fbaWarehouse(ctx: Ctx, { code, name, country }: Wanted): Promise<string> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ id: string }>`
      WITH made AS (
        INSERT INTO warehouse.warehouse AS w (company_id, code, name, kind, country, updated_by_name)
        VALUES (${ctx.companyId}, ${code}, ${name.slice(0, 50)}, 'FBA', ${country}, ${ctx.userName})
        ON CONFLICT (company_id, code) DO UPDATE SET code = excluded.code RETURNING id),
      staging AS (
        INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
        SELECT ${ctx.companyId}, id, id, '暂存', '暂存', 'STAGING' FROM made ON CONFLICT DO NOTHING)
      SELECT id FROM made`.execute(ctx.db),
  );
  const id = rows[0]?.id;
  if (!id) throw new Error(`no warehouse ${code}`);
  return id;
}
