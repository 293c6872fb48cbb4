import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { makeOnce } from '#kit/server/made.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { demoBooks } from '#modules/accounting/server/index.ts';
import { demoTrades } from '#modules/alibaba/server/index.ts';
import { demoFlows } from '#modules/approval/server/index.ts';
import { demoSales } from '#modules/channel/server/index.ts';
import { demoCosts } from '#modules/costshare/server/index.ts';
import { demoExpenses } from '#modules/expense/server/index.ts';
import { blocRequest } from '#modules/finance/contract/bloc.ts';
import {
  demoAbroad,
  demoBank,
  demoBloc,
  demoBlocWaiting,
  demoFinance,
  demoRates,
  demoRequests,
  demoSettlements,
} from '#modules/finance/server/index.ts';
import { demoForecasts } from '#modules/forecast/server/index.ts';
import { demoMcf } from '#modules/fulfillment/server/index.ts';
import { demoPrices } from '#modules/listing/server/index.ts';
import { demoWatch } from '#modules/orderwatch/server/index.ts';
import { demoPerformance } from '#modules/performance/server/index.ts';
import { demoImports, demoInquiries, demoProducts, productCount } from '#modules/product/server/index.ts';
import { demoDrafts } from '#modules/publish/server/index.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { requisition } from '#modules/purchase/contract/requisition.ts';
import { demoPlans, demoPurchases } from '#modules/purchase/server/index.ts';
import { demoRules } from '#modules/repricing/server/index.ts';
import { demoRemoval } from '#modules/returns/server/index.ts';
import {
  demoFreight,
  demoQuotas,
  demoQuotes,
  demoSelf,
  demoShipments,
  demoShipping,
  demoTransport,
} from '#modules/shipping/server/index.ts';
import { gradeNight } from '#modules/supplier/server/index.ts';
import { demoVat } from '#modules/vat/server/index.ts';
import { demoDocuments, demoStock } from '#modules/warehouse/server/index.ts';
import { keepWorth } from '#modules/worth/server/index.ts';
import { DEMO } from './demo.ts';
import { demoColleague } from './demo-people.ts';
import { patiently } from './patiently.ts';

const PAUSE_MS = 10_000;
/** How often the products are counted before the demo goes without stock. */
const COUNTS = 60;

/** A part of the demo; answers false to be asked again. */
type Part = (ctx: Ctx) => Promise<unknown>;

/** Whoever began the demo company, with every right. */
async function demoOwner(runtime: Runtime): Promise<Principal | undefined> {
  const owner = await inSystem(runtime, (db) =>
    db
      .selectFrom('identity.member')
      .select(['company_id', 'id'])
      .where('account', '=', DEMO.account)
      .executeTakeFirst(),
  );
  return owner && { ...systemPrincipal(owner.company_id, DEMO.name), userId: owner.id };
}

/** Requests, and what was paid, settled and stated by the bank. */
async function spend(ctx: Ctx): Promise<void> {
  const cashier = await demoColleague(ctx, 'finance');
  await demoRequests(ctx, cashier);
  await demoAbroad(ctx, cashier);
  await demoBloc(ctx, cashier);
  await demoSettlements(ctx);
  await demoBank(ctx);
}

/** Expenses that a buyer hands in, where there is one. */
async function expend(ctx: Ctx): Promise<void> {
  const buyer = await demoColleague(ctx, 'purchase');
  if (buyer) await demoExpenses(ctx, buyer, await demoColleague(ctx, 'finance'));
}

/** Flows of approval, where the company has somebody who decides. */
async function decide(ctx: Ctx, boss: string | null): Promise<void> {
  const finance = await demoColleague(ctx, 'finance');
  if (!finance || !boss) return;
  const kinds = { plan: requisition.name, order: purchaseOrder.name, bloc: blocRequest.name };
  await demoFlows(ctx, kinds, { boss, finance: finance.id });
}

/** What a buyer hands in: a purchase plan and a loan wait for the boss. */
async function handIn(ctx: Ctx): Promise<void> {
  const buyer = await demoColleague(ctx, 'purchase');
  if (!buyer) return;
  const by = { ...ctx, userId: buyer.id, userName: buyer.name };
  await demoPlans(by);
  await demoBlocWaiting(by);
}

/** What is made of the products, each in one transaction and once, in this order. */
function partsOf(owner: Principal): Record<string, Part> {
  return {
    stock: demoStock,
    products: demoProducts,
    finance: demoFinance,
    rates: demoRates,
    books: demoBooks,
    costs: demoCosts,
    purchases: demoPurchases,
    spending: spend,
    expenses: expend,
    performance: demoPerformance,
    flows: (ctx) => decide(ctx, owner.userId),
    plans: handIn,
    documents: demoDocuments,
    shipping: demoShipping,
    transport: demoTransport,
    freight: demoFreight,
    shipments: demoShipments,
    quotas: demoQuotas,
    quotes: demoQuotes,
    parcels: demoSelf,
    inquiries: demoInquiries,
    vat: demoVat,
    prices: demoPrices,
    rules: demoRules,
    channels: demoSales,
    mcf: demoMcf,
    removal: demoRemoval,
    watch: demoWatch,
  };
}

/** Whether the demo was stocked before its parts were marked: then all of them are there. */
async function isOlder(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM warehouse.warehouse WHERE company_id = ${ctx.companyId} AND code = 'SZ-A'
       AND NOT EXISTS (SELECT FROM kit.made WHERE company_id = ${ctx.companyId} AND name = 'demo.stock')`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Waits until a first synchronisation brings no more products; answers whether there are any. */
async function productsKnown(runtime: Runtime, companyId: string, signal: AbortSignal, pauseMs: number) {
  let before = 0;
  for (let counts = 0; counts < COUNTS && !signal.aborted; counts += 1) {
    const products = await inTenant(runtime, systemPrincipal(companyId), productCount);
    if (products > 0 && products === before) return true;
    before = products;
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/**
 * Gives the demo company stock, money and purchases once its products are known, which come over the marketplace's wire.
 * Each part is made once, whatever people do in the company meanwhile. Ends early when `signal` says so, or after ten
 * minutes without a product.
 */
export async function stockDemo(runtime: Runtime, signal: AbortSignal, pauseMs = PAUSE_MS): Promise<void> {
  const owner = await demoOwner(runtime);
  if (!owner) return;
  const system = systemPrincipal(owner.companyId, DEMO.name);
  if (await inTenant(runtime, system, isOlder)) return;
  if (!(await productsKnown(runtime, owner.companyId, signal, pauseMs))) return;
  const tried = (part: string, make: () => Promise<unknown>) =>
    patiently(make, { log: runtime.log, signal, pauseMs, part });
  for (const [part, make] of Object.entries(partsOf(owner))) {
    await tried(part, () => inTenant(runtime, system, (ctx) => makeOnce(ctx, `demo.${part}`, () => make(ctx))));
  }
  // These take several transactions, and know themselves what was made.
  await tried('imports', () => demoImports(runtime, system));
  await tried('worth', () => keepWorth(runtime, owner.companyId));
  await tried('grades', () => gradeNight(runtime, owner.companyId));
  await tried('forecasts', () => demoForecasts(runtime, owner.companyId));
  if (!runtime.config.sandbox) return;
  await tried('trades', () => demoTrades(runtime, owner));
  await tried('drafts', () => demoDrafts({ runtime, principal: owner }));
}
