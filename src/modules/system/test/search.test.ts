import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { searchAll } from '../contract/search.ts';

const SITE = 'ATVPDKIKX0DER';
let world: World;
let admin: pg.Client;
let owner: Person;
let account: string;

/** A store with `orders` orders over `skus` SKUs, written as the owner of the tables. */
async function seed(person: Person, name: string, orders: number, skus: number): Promise<string> {
  const store = randomUUID();
  const id = randomUUID();
  const { companyId } = person;
  const seller = `A${id.replaceAll('-', '').slice(0, 12).toUpperCase()}`;
  await admin.query('INSERT INTO marketplace.store (company_id, id, name) VALUES ($1, $2, $3)', [
    companyId,
    store,
    name,
  ]);
  await admin.query(
    `INSERT INTO marketplace.seller_account
       (company_id, id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
     VALUES ($1, $2, $3, $4, 'na', 'test', '-', kit.now() + interval '1 year')`,
    [companyId, id, store, seller],
  );
  await admin.query(
    'INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id) VALUES ($1, $2, $3)',
    [companyId, id, SITE],
  );
  await admin.query(
    `INSERT INTO "order".amazon_order
       (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel, fulfilled_by, status,
        purchased_at, local_date, last_updated_at, currency, item_amount, discount_amount, order_total, quantity,
        shipped_quantity, line_count, lead_sku, source, row_hash)
     SELECT $1, $2, '111-' || lpad((n / 10000000)::text, 7, '0') || '-' || lpad((n % 10000000)::text, 7, '0'), $3, $4,
            'AMAZON', 'AMAZON', 'SHIPPED', kit.now() - n * interval '1 minute', kit.today(), kit.now(), 'USD', 10, 0, 1234.5, 2,
            1, 1, 'KD-' || n % $6, 'api', gen_random_uuid()
       FROM generate_series(1, $5::int) AS n`,
    [companyId, seller, id, SITE, orders, skus],
  );
  await admin.query(
    `INSERT INTO "order".amazon_order_line
       (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id, purchased_at, local_date,
        seller_sku, quantity, first_quantity, currency, source)
     SELECT company_id, selling_partner_id, amazon_order_id, '1', account_id, marketplace_id, purchased_at, local_date,
            lead_sku, 1, 1, currency, source FROM "order".amazon_order WHERE company_id = $1`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO listing.listing
       (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, source, as_of, first_seen_at, status)
     SELECT $1, $2, $3, 'KD-' || n, 'B0' || lpad(n::text, 8, '0'), '保温杯 ' || n, 'USD', 'api', kit.now(), kit.now(), 'ACTIVE'
       FROM generate_series(0, $4 - 1) AS n`,
    [companyId, id, SITE, skus],
  );
  return id;
}

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  admin = new pg.Client({ connectionString: world.databaseUrl });
  admin.on('error', () => {});
  await admin.connect();
  account = await seed(owner, '启航', 300, 12);
  await seed(await world.owner('另一家'), '别家', 30, 3);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const find = (q: string, who = owner) => who.call(searchAll, { query: { q } });

test('an order by its number, whole or begun; of the own company only', async () => {
  const [group, ...others] = await find('111-0000000-0000007');
  expect(others).toEqual([]);
  expect(group).toMatchObject({ title: '订单', icon: 'order', more: false, failed: false });
  expect(group?.hits).toHaveLength(1);
  expect(group?.hits[0]).toMatchObject({
    title: '111-0000000-0000007',
    subtitle: '启航-US · 2 件 · $1,234.50',
    tag: { title: '已发货', tone: 'done' },
    path: '/orders/detail',
    tabTitle: '111-0000000-0000007',
  });
  const begun = (await find('111-0000000'))[0];
  expect(begun?.hits).toHaveLength(5);
  expect(begun?.more).toBe(true);
  expect(await find('999-0000000')).toEqual([]);
});

test('a SKU, whatever its case, shows its listing and its latest orders; an ASIN its listing', async () => {
  const [sku, orders] = await find('kd-11');
  expect(sku?.hits.map((hit) => hit.title)).toEqual(['保温杯 11']);
  expect(sku?.hits[0]).toMatchObject({ subtitle: 'KD-11 · 启航-US', query: { 'f.skus': 'KD-11' } });
  expect(orders?.title).toBe('订单');
  expect(orders?.hits).toHaveLength(5);
  expect(orders?.hits[0]?.title).toBe('111-0000000-0000011');
  expect((await find('B000000003'))[0]?.hits[0]?.title).toBe('保温杯 3');
  expect(await find('KD-1%')).toEqual([]);
});

test('rights decide what is looked through, and amounts stay with those who may see them', async () => {
  expect(await find('KD-11', await world.member(owner, []))).toEqual([]);
  const seller = await world.member(owner, ['amz:listing:view']);
  expect((await find('KD-11', seller)).map((group) => group.title)).toEqual(['SKU']);
  const clerk = await world.member(owner, ['amz:order:view']);
  const [orders] = await find('111-0000000-0000007', clerk);
  expect(orders?.hits[0]?.subtitle).toBe('启航-US · 2 件');
  expect(JSON.stringify(orders)).not.toContain('1,234');
});

test('too little and too much is refused in words', async () => {
  expect(await owner.send(searchAll, { query: { q: ' x ' } })).toMatchObject({
    status: 400,
    msg: '搜索内容：请至少输入2个字符',
  });
  expect((await owner.send(searchAll, { query: { q: 'x'.repeat(81) } })).msg).toBe('搜索内容：不能超过80个字符');
});

test('every look goes by an index, under row-level security', async () => {
  await admin.query('ANALYZE');
  const plans = await world.as(owner, async (ctx) => {
    const explain = async (sql: string) => {
      const { rows } = await ctx.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    await ctx.client.query('SET LOCAL enable_seqscan = off');
    const own = `company_id = '${owner.companyId}'`;
    return [
      await explain(
        `SELECT amazon_order_id FROM "order".amazon_order WHERE ${own} AND amazon_order_id >= '111-0'
            AND amazon_order_id < '111-0~' ORDER BY amazon_order_id DESC LIMIT 6`,
      ),
      await explain(
        `SELECT amazon_order_id FROM "order".amazon_order_line WHERE ${own} AND seller_sku = 'KD-1'
            AND superseded_by IS NULL ORDER BY purchased_at DESC LIMIT 24`,
      ),
      await explain(
        `SELECT seller_sku FROM listing.listing WHERE ${own} AND sku_key >= 'kd-1' AND sku_key < 'kd-2' ORDER BY sku_key LIMIT 6`,
      ),
    ];
  });
  expect(account).not.toBe('');
  expect(plans[0]).toMatch(/Index.*amazon_order_number[\s\S]*Index Cond:.*amazon_order_id >= /);
  expect(plans[1]).toMatch(/Index.*amazon_order_line_sku[\s\S]*Index Cond:.*seller_sku = /);
  expect(plans[2]).toMatch(/Index.*listing_sku[\s\S]*Index Cond:.*sku_key >= /);
});
