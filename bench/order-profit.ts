import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { foldOrders } from '#modules/profit/server/order/fold.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { ORDER_GROUPS, recountOrdersByHand, seedMoney } from './support/profit.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const LIST = '/amazon/api/v1/profit/order/list';
const MONTH = { from: '2026-06-01', to: '2026-06-30' };
const ROUNDS = 9;

/** A page with its number and the sums of all, by hand: the rollup read once for each of the three, as lists do. */
async function pageByHand(world: BenchWorld, companyId: string, order: string): Promise<void> {
  const { admin } = world;
  const params = [companyId, MONTH.from, MONTH.to];
  const from = 'FROM profit.order_profit WHERE company_id = $1 AND first_date BETWEEN $2::date AND $3::date';
  const net = ORDER_GROUPS.join(' + ');
  await admin.query(`SELECT *, ${net} AS net ${from} ORDER BY ${order} LIMIT 20`, params);
  await admin.query(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT 10001) AS counted`, params);
  await admin.query(
    `SELECT currency, sum(principal + shipping), sum(promotion + ship_back), sum(refund), sum(commission + dsf),
            sum(fulfil + fba_other + storage), sum(${net}), sum(cost_cny) ${from} GROUP BY currency`,
    params,
  );
}

async function read(world: BenchWorld, account: AccountRef, session: string): Promise<void> {
  const { app } = await world.api();
  const ask = async (more: object) => {
    const payload = { filter: { date: MONTH }, ...more };
    const answer = await app.inject({ method: 'POST', url: LIST, headers: { jsessionid: session }, payload });
    if (answer.statusCode !== 200) throw new Error(answer.body);
  };
  const asked: [string, object, string][] = [
    ['a month, the newest first', {}, 'first_date DESC, order_id DESC'],
    ['a month, by net', { sort: 'net', order: 'desc' }, 'net DESC'],
  ];
  for (const [title, more, order] of asked) {
    const ours = [];
    const baselines = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      baselines.push(await timed(world, () => pageByHand(world, account.companyId, order)));
      ours.push(await timed(world, () => ask(more)));
    }
    reportTimes(`profit of orders, ${title}`, middle(ours), middle(baselines), '<= 1.5');
  }
}

/** Profit by order of one month: counted from its money lines, and read from the rollup. */
export async function orderProfit(world: BenchWorld, skus: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step(`money of ${skus} SKUs`, () => seedMoney(world, account, skus));
  const baseline = await step('by hand', () => timed(world, () => recountOrdersByHand(world, account)));
  await world.admin.query('DELETE FROM profit.order_profit WHERE company_id = $1', [principal.companyId]);
  await world.admin.query('VACUUM profit.order_profit');
  await world.admin.query(
    `INSERT INTO profit.order_dirty (company_id, account_id, source_doc_id)
     SELECT company_id, account_id, id FROM settlement.source_doc WHERE company_id = $1`,
    [principal.companyId],
  );
  const first = await step('first count', () => timed(world, () => foldOrders(world.runtime, principal.companyId)));
  reportTimes('profit of orders, a settlement counted first', first, baseline, '<= 2');
  await world.admin.query('VACUUM (ANALYZE) profit.order_profit');
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  await step('reading', () => read(world, account, session));
}
