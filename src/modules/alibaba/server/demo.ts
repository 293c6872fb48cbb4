import { randomUUID } from 'node:crypto';
import type { Ctx, Principal } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import { findProducts } from '#modules/product/server/index.ts';
import { OrderInput } from '#modules/purchase/contract/order.ts';
import { actOnOrder, saveOrder } from '#modules/purchase/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { beginConsent, finishConsent } from './consent.ts';
import { saveLink } from './links.ts';
import { placeTrade, previewTrade } from './place.ts';
import { payUrl, pullTrades } from './trades.ts';

/** An offer of the sandbox's market, and what the demo buys of it: units at CNY for each. */
const BOUGHT = [
  {
    offerId: '610947572360',
    specId: 'spec-cup-black',
    subject: '不锈钢保温杯',
    spec: '颜色:黑色',
    units: 100,
    price: '18.60',
  },
  {
    offerId: '627056024629',
    specId: 'spec-bowl-set',
    subject: '硅胶碗',
    spec: '规格:三只装',
    units: 60,
    price: '24.00',
  },
] as const;
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

/** An approved order of a product that is linked to an offer; nothing where the demo has no such supplier or place. */
async function ordered(ctx: Ctx, offer: (typeof BOUGHT)[number], n: number): Promise<string | undefined> {
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('short_name', '=', '义乌恒泰日用')
    .executeTakeFirst();
  const product = (await findProducts(ctx, { text: '', kinds: ['goods'], limit: 24 })).at(-3 - n);
  const place = [...(await warehouses(ctx)).values()].find(
    (one) => one.kind === 'LOCAL' && one.quality === 'GOOD' && one.country === 'CN' && !one.disabled,
  );
  if (!supplier || !product || !place) return undefined;
  const { offerId, specId, subject, spec, units, price } = offer;
  const link = { offerId, specId, subject, spec, piecesPerUnit: 1 };
  await saveLink(ctx, { ...link, productId: product.id, supplierId: supplier.id });
  const input = OrderInput.parse({
    supplierId: supplier.id,
    warehouseId: place.id,
    lines: [{ productId: product.id, qty: units, unitPrice: price }],
  });
  const { id } = await saveOrder(ctx, input);
  for (const step of ['submit', 'approve'] as const) await actOnOrder(ctx, step, { id });
  return id;
}

/**
 * A buying account at the sandbox's market, products that are tied to its offers, and two orders there, of which the first
 * is paid. For a stand-in of the market only: it presses the buttons of its pages. Does nothing where the company bound an
 * account before.
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
  for (const [n, offer] of BOUGHT.entries()) {
    const orderId = await inTenant(runtime, demo.principal, (ctx) => ordered(ctx, offer, n));
    if (orderId === undefined) return;
    const asked = { orderId, buyerId, addressId: '900001' };
    const { total } = await previewTrade(demo, asked);
    const { id } = await placeTrade(demo, { ...asked, total: total ?? '0' });
    if (n === 0) await press((await payUrl(demo, id)).url);
  }
  await pullTrades(demo);
}
