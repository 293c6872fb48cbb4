import { median, report, step } from './support/measure.ts';
import { seedOrderCompanies } from './support/orders.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 100;

async function timesOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await work();
    if (round >= ROUNDS / 5) times.push(performance.now() - begin);
  }
  return median(times);
}

/** Fills the lines of all orders with one line each: searches by SKU look there. */
async function seedLines(world: BenchWorld, companyId: string): Promise<void> {
  await world.admin.query(
    `INSERT INTO "order".amazon_order_line
       (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id, purchased_at, local_date,
        seller_sku, quantity, first_quantity, currency, source)
     SELECT company_id, selling_partner_id, amazon_order_id, '1', account_id, marketplace_id, purchased_at, local_date,
            lead_sku, 1, 1, currency, source FROM "order".amazon_order WHERE company_id = $1`,
    [companyId],
  );
  await world.admin.query('VACUUM (ANALYZE) "order".amazon_order_line');
}

/** The search of the frame, whole answers without a socket, against a call that does nothing but know its session. */
export async function search(world: BenchWorld, orders: number): Promise<void> {
  const owner = await world.company();
  await seedOrderCompanies(world, [[owner, orders]]);
  await step('lines', () => seedLines(world, owner.companyId));
  const { app } = await world.api();
  const session = await sessionOf(world, app, owner);
  const get = async (url: string) => {
    const answer = await app.inject({ method: 'GET', url, headers: { jsessionid: session } });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  };
  const idle = await timesOf(() => get('/admin/api/v1/favourites'));
  for (const [name, text] of [
    ['whole order number', '111-0000000-0000777'],
    ['begun order number, all begin so', '11'],
    ['SKU', 'SKU-77'],
    ['begun SKU', 'sku'],
    ['nothing found', '没有这个'],
  ] as const) {
    const ours = await timesOf(() => get(`/admin/api/v1/search?q=${encodeURIComponent(text)}`));
    report(`search among ${orders} orders, ${name}`, ours, idle, 'ms', '< 20 ms');
  }
}
