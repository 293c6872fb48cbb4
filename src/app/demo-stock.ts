import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { demoTrades } from '#modules/alibaba/server/index.ts';
import { demoFlows } from '#modules/approval/server/index.ts';
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
import { demoImports, demoInquiries, demoProducts, productCount } from '#modules/product/server/index.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { requisition } from '#modules/purchase/contract/requisition.ts';
import { demoPlans, demoPurchases } from '#modules/purchase/server/index.ts';
import { gradeNight } from '#modules/supplier/server/index.ts';
import { demoDocuments, demoStock } from '#modules/warehouse/server/index.ts';
import { DEMO } from './demo.ts';
import { demoColleague } from './demo-people.ts';

const PAUSE_MS = 10_000;
const TRIES = 60;
/** PostgreSQL ended the transaction because another one waited for it. */
const DEADLOCK = '40P01';

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

/** Warehouses with stock, accounts with money, then what needs them. Answers whether all of it is there. */
async function furnish(ctx: Ctx): Promise<boolean> {
  if (!(await demoStock(ctx))) return false;
  await demoProducts(ctx);
  await demoFinance(ctx);
  await demoRates(ctx);
  if (!(await demoPurchases(ctx))) return false;
  const cashier = await demoColleague(ctx, 'finance');
  await demoRequests(ctx, cashier);
  await demoAbroad(ctx, cashier);
  await demoBloc(ctx, cashier);
  await demoSettlements(ctx);
  await demoBank(ctx);
  return true;
}

/** Flows of approval, and what a colleague hands in: a purchase plan and a loan wait for the boss. */
async function approve(runtime: Runtime, boss: Principal): Promise<void> {
  const buyer = await inTenant(runtime, systemPrincipal(boss.companyId, DEMO.name), async (ctx) => {
    const [finance, buyer] = [await demoColleague(ctx, 'finance'), await demoColleague(ctx, 'purchase')];
    if (!finance || !buyer || !boss.userId) return undefined;
    const kinds = { plan: requisition.name, order: purchaseOrder.name, bloc: blocRequest.name };
    await demoFlows(ctx, kinds, { boss: boss.userId, finance: finance.id });
    return buyer;
  });
  if (!buyer) return;
  const principal = { ...systemPrincipal(boss.companyId, buyer.name), userId: buyer.id };
  await inTenant(runtime, principal, demoPlans, { timeoutMs: 60_000 });
  await inTenant(runtime, principal, demoBlocWaiting);
}

/** Documents, inquiries and imported tables, so that no list of the demo is empty. */
async function fillLists(runtime: Runtime, principal: Principal): Promise<void> {
  await inTenant(runtime, principal, demoDocuments, { timeoutMs: 60_000 });
  await inTenant(runtime, principal, demoInquiries);
  await demoImports(runtime, principal);
}

/**
 * Gives the demo company stock, money and purchases once its products are known, which come over the marketplace's wire:
 * waits until a first synchronisation brings no more of them. Does nothing where they are there already. Ends early when
 * `signal` says so, or after ten minutes without a product.
 */
export async function stockDemo(runtime: Runtime, signal: AbortSignal, pauseMs = PAUSE_MS): Promise<void> {
  const owner = await demoOwner(runtime);
  if (!owner) return;
  let before = 0;
  for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
    const done = await inTenant(
      runtime,
      systemPrincipal(owner.companyId, DEMO.name),
      async (ctx) => {
        const products = await productCount(ctx);
        const still = products > 0 && products === before;
        before = products;
        return still && (await furnish(ctx));
      },
      { timeoutMs: 60_000 },
    ).catch((error: unknown) => {
      // The first synchronisation counts the same profits and may have been in the way: the next try comes after it.
      if ((error as { code?: string }).code === DEADLOCK) return false;
      throw error;
    });
    if (done) {
      await approve(runtime, owner);
      await fillLists(runtime, systemPrincipal(owner.companyId, DEMO.name));
      // What else comes with the night.
      await gradeNight(runtime, owner.companyId);
      if (runtime.config.sandbox) await demoTrades(runtime, owner);
      return;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
