import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { manualAccount, saveStore } from '#modules/marketplace/contract/stores.ts';
import type { Person } from '#test/support/world.ts';
import { saveEntity, saveSites } from '../contract/settings.ts';
import { sealBuyer } from '../server/invoice/buyer.ts';

export const DE = 'A1PA6795UKMFR9';
export const GB = 'A1F83G8C2ARO7P';
export const FR = 'A13V1IB3VIYZZH';

export const ENTITY = {
  name: 'Qihang Home Ltd',
  address: '12 Harbour Road\n518000 Shenzhen\nChina',
  ossCountry: 'DE',
  invoicePattern: 'INV-{country}-{yyyy}-{seq:5}',
  creditPattern: 'CN-{country}-{yyyy}-{seq:5}',
  numbers: [
    { country: 'DE', number: 'DE136695976' },
    { country: 'GB', number: 'GB980780684' },
    { country: 'FR', number: 'FR40303265045' },
  ],
} as const;

/** A store that works with files, with an account for these sites. */
export async function fileStore(person: Person, name: string, ...marketplaceIds: string[]): Promise<string> {
  const storeId = await person.call(saveStore, { body: { name } });
  return (await person.call(manualAccount, { body: { storeId, marketplaceIds } })).authid;
}

/** An entity that issues for all European sites of an account. */
export async function issuer(
  owner: Person,
  accountId: string,
  sites: readonly string[],
  auto = false,
): Promise<string> {
  const { id } = await owner.call(saveEntity, { body: { ...ENTITY, numbers: [...ENTITY.numbers] } });
  await owner.call(saveSites, {
    body: { sites: sites.map((site) => ({ site: `${site}-${accountId}`, entityId: id, auto })) },
  });
  return id;
}

export interface Waiting {
  accountId: string;
  shippingId?: string;
  marketplaceId?: string;
  from?: string;
  to?: string;
  business?: boolean;
  buyerVat?: string;
  currency?: string;
  taxDay?: string;
  lines?: readonly { gross: string; kind?: string; itemId?: string }[];
}

/** A shipment that waits for an invoice, without Amazon's reckoning. */
export async function waitingShipment(ctx: Ctx, wish: Waiting): Promise<string> {
  const { accountId, marketplaceId = DE, from = 'DE', to = 'DE', currency = 'EUR', taxDay = '2026-11-17' } = wish;
  const shippingId = wish.shippingId ?? `D${randomUUID().slice(0, 8)}`;
  const buyer = sealBuyer(ctx, {
    name: 'Jürgen Groß',
    address: ['Hauptstraße 1', '10115 Berlin'],
    country: to,
    vatNumber: wish.buyerVat ?? '',
  });
  const { rows } = await sql<{ id: string }>`
    INSERT INTO vat.invoice (company_id, account_id, marketplace_id, type, order_id, shipping_id, shipped_at, tax_day, currency,
                             from_country, to_country, business, buyer, title, sku)
    VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, 'INVOICE', ${`302-${shippingId}`}, ${shippingId},
            ${`${taxDay}T10:00:00Z`}, ${taxDay}, ${currency}, ${from}, ${to}, ${wish.business ?? false}, ${buyer}, 'Flasche', 'NQ-1')
    RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id ?? '';
  for (const [at, line] of (wish.lines ?? [{ gross: '29.95' }]).entries()) {
    await sql`
      INSERT INTO vat.invoice_line (company_id, account_id, invoice_id, line_no, item_id, kind, sku, title, quantity, gross)
      VALUES (${ctx.companyId}, ${accountId}, ${id}, ${at + 1}, ${line.itemId ?? `item-${at + 1}`}, ${line.kind ?? 'ITEM'}, 'NQ-1',
              'Flasche', 1, ${line.gross})`.execute(ctx.db);
  }
  return id;
}

/** As if Amazon had taken a document. */
export function accepted(ctx: Ctx, id: string): Promise<unknown> {
  return sql`UPDATE vat.invoice SET state = 'accepted', accepted_at = kit.now() WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
    ctx.db,
  );
}
