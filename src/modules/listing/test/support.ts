import { createHash, randomUUID } from 'node:crypto';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import { worldClock } from '#test/support/world.ts';
import type { ListingIssue } from '../contract/issues.ts';
import type { ListingFact } from '../server/fact.ts';

export const US = 'ATVPDKIKX0DER';
export const CA = 'A2EUQ1WTGCTBG2';

/** A seller account of somebody's company, as a consent would have left it. */
export async function makeAccount(world: World, person: Person, name = '启航'): Promise<AccountRef> {
  const marketplaceIds = [US, CA];
  const sellingPartnerId = `A${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
  return world.as(person, async (ctx) => {
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, name })
      .returning('id')
      .executeTakeFirstOrThrow();
    const account = await ctx.db
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
    const id = account.id;
    return { companyId: ctx.companyId, id, storeId: store.id, sellingPartnerId, region: 'na', marketplaceIds };
  });
}

/** Something that Amazon finds wrong; a test names only what it is about. */
export function issue(part: Partial<ListingIssue> = {}): ListingIssue {
  return {
    code: '1',
    message: '缺少图片',
    severity: 'ERROR',
    categories: ['MISSING_IMAGE'],
    attributes: ['main_product_image_locator'],
    actions: [],
    exemptUntil: null,
    ...part,
  };
}

/** A listing as the API states it; a test names only what it is about. */
export function fact(sellerSku: string, part: Partial<ListingFact> = {}): ListingFact {
  return {
    sellerSku,
    asin: 'B000000001',
    fnsku: 'X000000001',
    title: `商品 ${sellerSku}`,
    imageUrl: 'https://images.example.com/1.jpg',
    price: '19.99',
    currency: 'USD',
    quantity: null,
    fulfilledBy: 'AMAZON',
    status: 'ACTIVE',
    condition: 'new_new',
    productType: 'LAMP',
    issues: [],
    openedAt: '2026-01-02T03:04:05.000Z',
    lastUpdatedAt: '2026-03-01T00:00:00.000Z',
    ...part,
  };
}

const HEADER =
  'item-name\titem-description\tlisting-id\tseller-sku\tprice\tquantity\topen-date\timage-url\titem-condition\tasin1\tproduct-id\tfulfillment-channel\tstatus';

export interface FileRow {
  sku: string;
  title?: string;
  price?: string;
  quantity?: string;
  channel?: string;
  status?: string;
}

/** A GET_MERCHANT_LISTINGS_ALL_DATA file as text. */
export function listingsFile(rows: readonly FileRow[]): string {
  const lines = rows.map(({ sku, title = `商品 ${sku}`, price = '19.99', quantity = '', channel, status = 'Active' }) =>
    [
      title,
      '',
      `L-${sku}`,
      sku,
      price,
      quantity,
      '2026-01-02 03:04:05 PST',
      '',
      '11',
      'B000000001',
      'B000000001',
      channel ?? 'AMAZON_NA',
      status,
    ].join('\t'),
  );
  return `${[HEADER, ...lines].join('\r\n')}\r\n`;
}

/** A report as the marketplace module would hand it to a loader. */
export function source(account: AccountRef, text: string, part: Partial<ReportSource> = {}): ReportSource {
  const bytes = Buffer.from(text, 'utf8');
  return {
    account,
    reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    marketplaceIds: [US],
    open: async function* () {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'listings.txt',
    ...part,
  };
}
