import { createHash, randomUUID } from 'node:crypto';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import { worldClock } from '#test/support/world.ts';
import type { StockFact } from '../server/fact.ts';

export const US = 'ATVPDKIKX0DER';
export const CA = 'A2EUQ1WTGCTBG2';

/** A seller account of somebody's company, as a consent would have left it. */
export async function makeAccount(world: World, person: Person): Promise<AccountRef> {
  const marketplaceIds = [US, CA];
  const sellingPartnerId = `A${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
  return world.as(person, async (ctx) => {
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, name: `店铺 ${sellingPartnerId}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: ctx.companyId,
        store_id: store.id,
        selling_partner_id: sellingPartnerId,
        region: 'na',
        application_id: 'test',
        refresh_token_sealed: 'x',
        expires_at: new Date(worldClock().ms() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { companyId: ctx.companyId, id, storeId: store.id, sellingPartnerId, region: 'na', marketplaceIds };
  });
}

/** Stock as the API states it; `reserved` and the stated total follow from the parts unless a test says otherwise. */
export function stock(sellerSku: string, part: Partial<StockFact> = {}): StockFact {
  const base = {
    sellerSku,
    condition: 'New',
    fnsku: `X-${sellerSku}`,
    asin: 'B000000001',
    fulfillable: 10,
    unsellable: 0,
    reservedCustomer: 0,
    reservedTransfer: 0,
    reservedProcessing: 0,
    researching: 0,
    inboundWorking: 0,
    inboundShipped: 0,
    inboundReceiving: 0,
    lastUpdatedAt: '2026-03-01T00:00:00.000Z',
    ...part,
  };
  const reserved =
    part.reserved ?? (base.reservedCustomer ?? 0) + (base.reservedTransfer ?? 0) + (base.reservedProcessing ?? 0);
  const inbound = base.inboundWorking + base.inboundShipped + base.inboundReceiving;
  const statedTotal = part.statedTotal ?? base.fulfillable + base.unsellable + reserved + base.researching + inbound;
  return { ...base, reserved, statedTotal };
}

const HEADER =
  'sku\tfnsku\tasin\tproduct-name\tcondition\tyour-price\tafn-warehouse-quantity\tafn-fulfillable-quantity\tafn-unsellable-quantity\tafn-reserved-quantity\tafn-total-quantity\tafn-inbound-working-quantity\tafn-inbound-shipped-quantity\tafn-inbound-receiving-quantity\tafn-researching-quantity';

/** A GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA file as text. */
export function stockFile(
  rows: readonly { sku: string; fulfillable: number; reserved?: number; total?: number }[],
): string {
  const lines = rows.map(({ sku, fulfillable, reserved = 0, total = fulfillable + reserved }) =>
    [
      sku,
      `X-${sku}`,
      'B000000001',
      '商品',
      'New',
      '9.99',
      fulfillable + reserved,
      fulfillable,
      0,
      reserved,
      total,
      0,
      0,
      0,
      0,
    ].join('\t'),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

/** A report as the marketplace module would hand it to a loader. */
export function source(account: AccountRef, text: string): ReportSource {
  const bytes = Buffer.from(text, 'utf8');
  return {
    account,
    reportType: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA',
    marketplaceIds: [US],
    open: async function* () {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'inventory.txt',
  };
}
