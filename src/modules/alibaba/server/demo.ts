import { randomUUID } from 'node:crypto';
import type { Ctx, Principal } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { findProducts } from '#modules/product/server/index.ts';
import { OrderInput } from '#modules/purchase/contract/order.ts';
import { actOnOrder, saveOrder } from '#modules/purchase/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { payUrl, pullTrades } from './acts.ts';
import { beginConsent, finishConsent } from './consent.ts';
import { demoBill } from './demo-bill.ts';
import { saveLink } from './links.ts';
import { placeTrade, previewTrade } from './place.ts';

/** Offers of the sandbox's market that products of the demo are tied to; prices in CNY for a unit. */
const OFFERS = {
  cup: {
    offerId: '610947572360',
    specId: 'spec-cup-black',
    subject: '不锈钢保温杯',
    spec: '颜色:黑色',
    price: '18.60',
  },
  bowl: { offerId: '627056024629', specId: 'spec-bowl-set', subject: '硅胶碗', spec: '规格:三只装', price: '24.00' },
  turner: { offerId: '640011223344', specId: 'spec-turner', subject: '硅胶锅铲', spec: '颜色:灰色', price: '7.35' },
} as const;
type Offered = keyof typeof OFFERS;

/** What the demo buys, units by offer: the last is of two sellers, one of whom sends it from two places. */
const BOUGHT: readonly Partial<Record<Offered, number>>[] = [
  { cup: 100 },
  { bowl: 60 },
  { cup: 60, bowl: 30, turner: 120 },
];
/** The other buying account of the market is left for the reader's own first authorisation. */
const MEMBER = 'b2b-2200657715';

/** Presses the button of a page of the market: agrees, or pays. */
async function press(address: string, more: Record<string, string> = {}): Promise<Response> {
  const page = new URL(address);
  const form = new URLSearchParams(page.searchParams);
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  return fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' });
}

async function bind(open: OpenCtx): Promise<string> {
  const { url } = await inTenant(open.runtime, open.principal, beginConsent);
  const back = new URL((await press(url, { member: MEMBER })).headers.get('location') ?? '');
  const [code, state] = [back.searchParams.get('code') ?? '', back.searchParams.get('state') ?? ''];
  return (await finishConsent(open, { code, state })).id;
}

/** Products that are tied to the offers at a supplier; nothing where the demo has no such supplier. */
async function tied(ctx: Ctx): Promise<{ supplierId: string; products: Map<Offered, string> } | undefined> {
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('short_name', '=', '义乌恒泰日用')
    .executeTakeFirst();
  if (!supplier) return undefined;
  const found = await findProducts(ctx, { text: '', kinds: ['goods'], limit: 24 });
  const products = new Map<Offered, string>();
  for (const [n, name] of (Object.keys(OFFERS) as Offered[]).entries()) {
    const product = found.at(-3 - n);
    if (!product) return undefined;
    const { price: _, ...offer } = OFFERS[name];
    const link = { ...offer, piecesPerUnit: 1, seller: '', productId: product.id, supplierId: supplier.id };
    await saveLink(ctx, link);
    products.set(name, product.id);
  }
  return { supplierId: supplier.id, products };
}

type Tied = NonNullable<Awaited<ReturnType<typeof tied>>>;

/** An approved order of so many units of each; nothing where the demo has no place for them. */
async function ordered(ctx: Ctx, wanted: (typeof BOUGHT)[number], { supplierId, products }: Tied) {
  const place = [...(await warehouses(ctx)).values()].find(
    (one) => one.kind === 'LOCAL' && one.quality === 'GOOD' && one.country === 'CN' && !one.disabled,
  );
  if (!place) return undefined;
  const lines = (Object.entries(wanted) as [Offered, number][]).map(([name, qty]) => ({
    productId: products.get(name),
    qty,
    unitPrice: OFFERS[name].price,
  }));
  const { id } = await saveOrder(ctx, OrderInput.parse({ supplierId, warehouseId: place.id, lines }));
  for (const step of ['submit', 'approve'] as const) await actOnOrder(ctx, step, { id });
  return id;
}

/**
 * A buying account at the sandbox's market, products that are tied to its offers, and three purchase orders there,
 * of which the first is paid and the last is three orders of two sellers, and a bill of them. For a stand-in of the
 * market only: it presses the buttons of its pages. Does nothing where the company bound an account before.
 * @param principal somebody of the company: a consent is always a person's
 */
export async function demoTrades(runtime: Runtime, principal: Principal): Promise<void> {
  if (!runtime.config.alibaba) return;
  const request = { ip: '', userAgent: '', requestId: randomUUID(), session: undefined, cookies: {} };
  const open: OpenCtx = { ...request, runtime, principal, upload: undefined };
  const known = await inTenant(runtime, principal, (ctx) =>
    ctx.db.selectFrom('alibaba.buyer').select('id').where('company_id', '=', ctx.companyId).executeTakeFirst(),
  );
  if (known) return;
  const buyerId = await bind(open);
  // Whoever made an order does not approve it: from here on it is nobody in particular.
  const demo: OpenCtx = { ...open, principal: { ...principal, userId: null } };
  const products = await inTenant(runtime, demo.principal, tied);
  if (!products) return;
  for (const [n, wanted] of BOUGHT.entries()) {
    const orderId = await inTenant(runtime, demo.principal, (ctx) => ordered(ctx, wanted, products));
    if (orderId === undefined) return;
    const asked = { orderId, buyerId, addressId: '900001' };
    const { total } = await previewTrade(demo, asked);
    const { id } = await placeTrade(demo, { ...asked, total: total ?? '0' });
    if (n === 0) await press((await payUrl(demo, id, { together: false, agreed: true })).url);
  }
  await pullTrades(demo);
  await inTenant(runtime, demo.principal, demoBill);
}
