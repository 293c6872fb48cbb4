import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { mayMove, maySee, stockChoices, warehouses } from '#modules/warehouse/server/index.ts';
import type { selfChoices, selfProducts } from '../../contract/self/calls.ts';

/** Stores, warehouses and channels for forms and filters, as far as the caller may see them. */
export async function docChoices(ctx: Ctx): Promise<Reply<typeof selfChoices>> {
  const stores = await sql<{ id: string; name: string }>`
    SELECT a.id, s.name FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
     WHERE a.company_id = ${ctx.companyId} AND a.status <> 'deleted' ORDER BY s.sort_index, s.name`.execute(ctx.db);
  const channels = await sql<{ id: string; name: string; carrier: string }>`
    SELECT c.id, c.name, k.name AS carrier FROM shipping.channel AS c
      JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
     WHERE c.company_id = ${ctx.companyId} AND NOT c.disabled AND NOT k.disabled ORDER BY k.name, c.name`.execute(
    ctx.db,
  );
  const places = [...(await warehouses(ctx)).values()].filter(
    (one) => !one.disabled && one.kind !== 'FBA' && one.kind !== 'AWD' && maySee(ctx, one.id),
  );
  return {
    stores: stores.rows,
    warehouses: places
      .filter((one) => one.quality === 'GOOD')
      .map(({ id, name }) => ({ id, name, mine: mayMove(ctx, id) })),
    returns: places.filter((one) => mayMove(ctx, one.id)).map(({ id, name }) => ({ id, name })),
    channels: channels.rows,
  };
}

/** Local products by SKU, barcode or words of the name. */
export async function productChoices(
  ctx: Ctx,
  { text, warehouseId }: { text: string; warehouseId: string },
): Promise<Reply<typeof selfProducts>> {
  const rows = await stockChoices(ctx, text, maySee(ctx, warehouseId) ? warehouseId : '');
  return rows.map(({ id, product, available }) => ({ id, product, available }));
}
