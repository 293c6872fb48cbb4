import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { localProducts, someKit } from '#modules/product/server/index.ts';
import { bind } from './orders/bind.ts';
import type { OrderLine } from './orders/read.ts';
import { writeLines } from './orders/write.ts';

const DAYS = 75;
const PRODUCTS = 6;

const OWN = { platform: 'SHOPIFY', shop: '启航家居官网', postage: '6.5', share: '0.029' } as const;
const WALMART = { platform: 'WALMART', shop: 'QiHang Home', postage: '5.9', share: '0.15' } as const;

interface Order {
  at: typeof OWN | typeof WALMART;
  nth: number;
  day: string;
  sku: string;
  qty: number;
  price: string;
}

function lineOf({ at, nth, day, sku, qty, price }: Order): OrderLine {
  const sales = new Decimal(price).times(qty);
  return {
    line: nth,
    platform: at.platform,
    shop: at.shop,
    orderNo: `${at.platform === 'SHOPIFY' ? '#' : '108-'}${1000 + nth}`,
    lineNo: 1,
    day,
    country: nth % 5 === 0 ? 'CA' : 'US',
    sku,
    qty,
    sales: sales.toFixed(2),
    shipFee: at.postage,
    commission: sales.times(at.share).toFixed(2),
    currency: 'USD',
    warehouse: nth % 3 === 0 ? '洛杉矶仓' : '',
  };
}

/**
 * Two shops of the demo company beside Amazon, one of them selling a bundle: some orders a day, of SKUs that are called like
 * products, that somebody bound, and one that still waits for it. Does nothing without products.
 */
export async function demoSales(ctx: Ctx): Promise<void> {
  const { rows: products } = await sql<{ id: string; sku: string }>`
    SELECT id, sku FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND kind = 'goods' AND structure <> 'bundle' ORDER BY sku LIMIT ${PRODUCTS}`.execute(
    ctx.db,
  );
  const kit = await someKit(ctx);
  const bundle = kit ? (await localProducts(ctx, [kit])).get(kit)?.sku : undefined;
  const skus = [...products.map(({ sku }) => sku), ...(bundle ? [bundle, bundle] : [])];
  if (skus.length === 0) return;
  const today = ctx.clock.today();
  const lines = Array.from({ length: DAYS }, (_, ago) => {
    const day = dayAfter(today, -1 - ago);
    // More of late than before, by a rule that any start repeats.
    const own = Array.from({ length: 1 + ((ago * 7) % 3) }, (_none, n) => {
      const nth = ago * 4 + n;
      const price = `${19 + (nth % 5) * 10}.99`;
      return lineOf({ at: OWN, nth, day, sku: skus[nth % skus.length] ?? '', qty: 1 + (nth % 3), price });
    });
    const other =
      ago % 2 === 0
        ? [lineOf({ at: WALMART, nth: ago, day, sku: `WM-100${ago % 3}`, qty: 1 + (ago % 4), price: '24.90' })]
        : [];
    return [...own, ...other];
  }).flat();
  await writeLines(ctx, lines);
  const { rows } = await sql<{ shopId: string; platformSku: string }>`
    SELECT shop_id AS "shopId", platform_sku AS "platformSku" FROM channel.platform_sku
     WHERE company_id = ${ctx.companyId} AND platform_sku IN ('WM-1000', 'WM-1001') ORDER BY 2`.execute(ctx.db);
  for (const [index, sku] of rows.entries()) {
    const product = products[index];
    if (product) await bind(ctx, { skus: [sku], productId: product.id, units: 1 + index });
  }
}
