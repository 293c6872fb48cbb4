import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { foldUnit } from '#modules/profit/server/fold.ts';
import { sumMonth } from '#modules/profit/server/months.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { byHand, familiesByHand, monthsByHand, recountByHand, seedMoney, seedYear } from './support/profit.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const LIST = '/amazon/api/v1/profit/report/list';
const MONTHLY = '/amazon/api/v1/profit/group/monthly';
const YEAR = { from: '2025-01-01', to: '2025-12-31' };
const MONTH = { from: '2026-06-01', to: '2026-06-30' };
const ROUNDS = 9;
const MINUTES = 60_000;

interface Company {
  principal: Principal;
  account: AccountRef;
  skus: number;
}

async function markMonth(world: BenchWorld, companyId: string): Promise<void> {
  await world.admin.query(
    `INSERT INTO profit.dirty SELECT company_id, account_id, marketplace_id, posted_date, sku
       FROM settlement.money_line WHERE company_id = $1 GROUP BY 1, 2, 3, 4, 5`,
    [companyId],
  );
}

/** The month counted from its money lines, against one INSERT … SELECT into an empty rollup. */
async function recount(world: BenchWorld, { principal, account, skus }: Company): Promise<void> {
  const unit = { accountId: account.id, marketplaceId: 'ATVPDKIKX0DER', month: MONTH.from };
  const fold = () => inTenant(world.runtime, principal, (ctx) => foldUnit(ctx, unit), { timeoutMs: 30 * MINUTES });
  const baseline = await step('by hand', () => timed(world, () => recountByHand(world, account, MONTH.from)));
  await world.admin.query('DELETE FROM profit.profit_daily WHERE company_id = $1', [principal.companyId]);
  await world.admin.query('VACUUM profit.profit_daily');
  await markMonth(world, principal.companyId);
  const first = await step('first count', () => timed(world, fold));
  await world.admin.query('VACUUM (ANALYZE) profit.profit_daily');
  await markMonth(world, principal.companyId);
  const again = await step('count again', () => timed(world, fold));
  reportTimes(`profit by SKU, ${skus} SKUs, month counted first`, first, baseline, '<= 1.5');
  reportTimes('  counted again, nothing changed', again, baseline, '<= 1.5');
}

/** The month's report from the rollup as it stands. */
async function read(world: BenchWorld, { principal, skus }: Company): Promise<void> {
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const ask = async () => {
    const payload = { filter: { dimension: 'sku', date: MONTH } };
    const answer = await app.inject({ method: 'POST', url: LIST, headers: { jsessionid: session }, payload });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  const ours = [];
  const baselines = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baselines.push(await timed(world, () => byHand(world, principal.companyId, MONTH)));
    ours.push(await timed(world, ask));
  }
  reportTimes(`profit by SKU, ${skus} SKUs, month as counted`, middle(ours), middle(baselines), '<= 1.5');
}

/** Adds the months of the year up, as is done after each is over. */
async function addUp(world: BenchWorld, principal: Principal, account: AccountRef): Promise<void> {
  for (let month = 1; month <= 12; month += 1) {
    const unit = {
      accountId: account.id,
      marketplaceId: 'ATVPDKIKX0DER',
      month: `2025-${String(month).padStart(2, '0')}-01`,
    };
    await inTenant(world.runtime, principal, (ctx) => sumMonth(ctx, unit), { timeoutMs: MINUTES });
  }
  await world.admin.query('VACUUM (ANALYZE) profit.profit_monthly');
}

/** A year of a company from the rollup: its statement by month, and its families. */
export async function profitYear(world: BenchWorld, skus: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step(`a year of ${skus} SKUs`, () => seedYear(world, account, skus));
  await step('its months', () => addUp(world, principal, account));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const { companyId } = principal;
  const asks = [
    ['statement by month', MONTHLY, { date: YEAR }, () => monthsByHand(world, companyId, YEAR)],
    ['profit by family', LIST, { dimension: 'parent', date: YEAR }, () => familiesByHand(world, companyId, YEAR)],
  ] as const;
  for (const [name, url, filter, hand] of asks) {
    const ours = [];
    const baselines = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      baselines.push(await timed(world, hand));
      ours.push(
        await timed(world, async () => {
          const answer = await app.inject({
            method: 'POST',
            url,
            headers: { jsessionid: session },
            payload: { filter },
          });
          if (answer.statusCode !== 200) throw new Error(answer.body);
        }),
      );
    }
    reportTimes(`${name}, a year of ${skus} SKUs`, middle(ours), middle(baselines), '<= 1.5');
  }
}

/** Profit by SKU of one month: counted from its money lines, and read from the rollup. */
export async function profit(world: BenchWorld, sizes: readonly number[]): Promise<void> {
  for (const skus of sizes) {
    const principal = await world.company();
    const company: Company = { principal, account: await world.account(principal), skus };
    await step(`money of ${skus} SKUs`, () => seedMoney(world, company.account, skus));
    await recount(world, company);
    await step('reading', () => read(world, company));
  }
}

/** Sales of a SKU in a month of many lines: 100,000 SKUs have ten million of them. */
const MANY_SALES = 33;

/** The same for a month of a hundred lines for each SKU. */
export async function profitLines(world: BenchWorld, skus: number): Promise<void> {
  const principal = await world.company();
  const company: Company = { principal, account: await world.account(principal), skus };
  await step(`money of ${skus} SKUs, a hundred lines each`, () => seedMoney(world, company.account, skus, MANY_SALES));
  await recount(world, company);
  await step('reading', () => read(world, company));
}
