import autocannon from 'autocannon';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Principal } from '#kit/server/context.ts';
import { median, report, step } from './support/measure.ts';
import { seedOrderCompanies } from './support/orders.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const LIST = '/amazon/api/v1/orders/manager/list';
const COUNTS = '/amazon/api/v1/orders/manager/statusCounts';
const PAGE = 20;
const ROUNDS = 120;

/** One question to the list: what the product is sent, and the same as conditions of SQL written by hand. */
interface Question {
  name: string;
  body: object;
  /** On orders `o` and on day counts alike, after the company. */
  where: string;
  offset: number;
}

const SINCE = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);
const FIRST: Question = { name: 'first page', body: {}, where: '', offset: 0 };
const QUESTIONS: readonly Question[] = [
  FIRST,
  { name: 'page 250', body: { currentpage: 250 }, where: '', offset: 249 * PAGE },
  {
    name: 'one status, 90 days',
    body: { filter: { status: ['UNSHIPPED'], dates: { from: SINCE } } },
    where: `AND o.status = 'UNSHIPPED' AND o.local_date >= '${SINCE}'`,
    offset: 0,
  },
];

const rowsSql = ({ where, offset }: Question) => `
  SELECT o.selling_partner_id, o.amazon_order_id, o.account_id, o.marketplace_id, o.status, o.purchased_at, o.local_date,
         o.last_updated_at, o.latest_ship_at, o.quantity, o.item_amount, o.discount_amount, o.order_total, o.currency,
         o.fulfilled_by, o.is_business, o.is_replacement, o.ship_country, o.ship_state, o.tags, o.remark, o.lead_sku,
         o.line_count, s.asin, s.title, l.title AS listed, l.image_url, st.name AS store
    FROM (SELECT * FROM "order".amazon_order AS o
           WHERE o.company_id = $1 ${where}
           ORDER BY o.purchased_at DESC, o.amazon_order_id DESC, o.selling_partner_id DESC
           LIMIT ${PAGE} OFFSET ${offset}) AS o
    LEFT JOIN "order".sold_sku AS s
      ON s.company_id = o.company_id AND s.account_id = o.account_id AND s.marketplace_id = o.marketplace_id
     AND s.seller_sku = o.lead_sku
    LEFT JOIN listing.listing AS l
      ON l.company_id = o.company_id AND l.account_id = o.account_id AND l.marketplace_id = o.marketplace_id
     AND l.seller_sku = o.lead_sku
    JOIN marketplace.seller_account AS a ON a.company_id = o.company_id AND a.id = o.account_id
    JOIN marketplace.store AS st ON st.company_id = a.company_id AND st.id = a.store_id
   ORDER BY o.purchased_at DESC, o.amazon_order_id DESC, o.selling_partner_id DESC`;
const countSql = ({ where }: Question) =>
  `SELECT count(*) FROM (SELECT FROM "order".amazon_order AS o WHERE o.company_id = $1 ${where} LIMIT 10001) AS counted`;
const totalsSql = ({ where }: Question) => `
  SELECT currency, sum(orders) AS orders, sum(quantity) AS quantity, sum(item_amount) AS item,
         sum(discount_amount) AS discount, sum(order_total) AS total
    FROM "order".order_day AS o WHERE o.company_id = $1 ${where} GROUP BY currency`;
const STATUS_COUNTS = `SELECT status, sum(orders) AS n FROM "order".order_day WHERE company_id = $1 GROUP BY status`;

type Sql = Pick<pg.Client, 'query'> | pg.Pool;

/** The answer of the list by hand: rows, count up to 10,000, totals over the whole filter from the day counts. */
async function bare(client: Sql, companyId: string, question: Question): Promise<unknown> {
  const rows = await client.query(rowsSql(question), [companyId]);
  const count = await client.query(countSql(question), [companyId]);
  const totals = await client.query(totalsSql(question), [companyId]);
  return { records: rows.rows, total: count.rows[0], totals: totals.rows };
}

/** Without the count: the sums of the days know it already, which is what the product makes use of. */
async function bareWithoutCount(client: Sql, companyId: string, question: Question): Promise<unknown> {
  const rows = await client.query(rowsSql(question), [companyId]);
  const totals = await client.query(totalsSql(question), [companyId]);
  return { records: rows.rows, totals: totals.rows };
}

/** Medians of things done in turn, so that a machine whose speed drifts treats all alike; the first fifth warms up. */
async function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const begin = performance.now();
      await work();
      if (round >= ROUNDS / 5) times[index]?.push(performance.now() - begin);
    }
  }
  return times.map(median);
}

interface Company {
  principal: Principal;
  size: number;
  session: string;
}

/** One call of the product, without a socket in between; anything but an answer is an error. */
async function call(app: FastifyInstance, session: string, url: string, payload: object): Promise<void> {
  const answer = await app.inject({ method: 'POST', url, headers: { jsessionid: session }, payload });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
}

async function ask(world: BenchWorld, app: FastifyInstance, company: Company, question: Question): Promise<number> {
  const { principal, size, session } = company;
  const [ours = 0, baseline = 0, lean = 0] = await inTurn([
    () => call(app, session, LIST, question.body),
    () => bare(world.admin, principal.companyId, question),
    () => bareWithoutCount(world.admin, principal.companyId, question),
  ]);
  report(`order list, ${size} orders, ${question.name}`, ours, baseline, 'ms', '<= 1.5');
  report('  against SQL that counts by the day sums too', ours, lean, 'ms', '-');
  return ours;
}

async function askAll(world: BenchWorld, app: FastifyInstance, company: Company): Promise<number[]> {
  const medians: number[] = [];
  for (const question of QUESTIONS) medians.push(await ask(world, app, company, question));
  const [ours = 0, baseline = 0] = await inTurn([
    () => call(app, company.session, COUNTS, {}),
    () => world.admin.query(STATUS_COUNTS, [company.principal.companyId]),
  ]);
  report(`order list, ${company.size} orders, counts by status`, ours, baseline, 'ms', '<= 1.5');
  return [...medians, ours];
}

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
    connections: 8,
    duration: 8,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 200`);
  return result.requests.average;
}

/** Requests per second of the first page over real sockets, against a server that does nothing but the same queries. */
async function throughput(world: BenchWorld, address: string, company: Company): Promise<void> {
  const pool = new pg.Pool({ connectionString: world.url, max: world.runtime.connections.pool.options.max });
  const plain = Fastify();
  plain.post('/list', () => bare(pool, company.principal.companyId, FIRST));
  const plainAddress = await plain.listen({ host: '127.0.0.1', port: 0 });
  const baselines: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    baselines.push(await perSecond(`${plainAddress}/list`, {}));
    ours.push(await perSecond(`${address}${LIST}`, { jsessionid: company.session }));
  }
  report(`order list, ${company.size} orders, requests per second`, median(ours), median(baselines), '/s', '>= 0.6');
  await plain.close();
  await pool.end();
}

/**
 * The order list against SQL written by hand on the same tables, at two sizes, and requests per second against a bare
 * Fastify. `small` and `large` are numbers of orders; both companies are in the same tables.
 */
export async function orderList(world: BenchWorld, small: number, large: number): Promise<void> {
  const owners = [await world.company(), await world.company()] as const;
  await seedOrderCompanies(world, [
    [owners[0], small],
    [owners[1], large],
  ]);
  const { app, address } = await world.api();
  const session = (owner: Principal) => sessionOf(world, app, owner);
  const little: Company = { principal: owners[0], size: small, session: await session(owners[0]) };
  const big: Company = { principal: owners[1], size: large, session: await session(owners[1]) };
  const before = await step('small company', () => askAll(world, app, little));
  const after = await step('large company', () => askAll(world, app, big));
  for (const [index, name] of [...QUESTIONS.map((question) => question.name), 'counts by status'].entries()) {
    report(`  ${small} to ${large} orders, ${name}`, after[index] ?? 0, before[index] ?? 0, 'ms', 'flat');
  }
  await step('requests per second', () => throughput(world, address, big));
}
