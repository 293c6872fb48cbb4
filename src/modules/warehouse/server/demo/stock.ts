import { sql } from 'kysely';
import type { Clock } from '#kit/server/clock.ts';
import type { Ctx } from '#kit/server/context.ts';
import { add } from '../base/locations.ts';
import { insertWarehouse } from '../base/warehouses.ts';
import { foldSnapshots, runHealth } from '../health/run.ts';
import { post } from '../ledger/post.ts';
import { reserve } from '../ledger/reserve.ts';
import type { Move } from '../ledger/types.ts';

interface Houses {
  shenzhen: string;
  qc: string;
  defective: string;
  overseas: string;
}

async function makeHouses(ctx: Ctx): Promise<Houses> {
  const house = (
    code: string,
    name: string,
    kind: 'LOCAL' | 'OVERSEAS',
    quality: 'GOOD' | 'QC' | 'DEFECTIVE',
    group: string,
    country: string,
  ) => insertWarehouse(ctx, { code, name, kind, quality, group, country, addressId: null });
  const houses = {
    shenzhen: await house('SZ-A', '深圳正品仓', 'LOCAL', 'GOOD', '深圳仓', 'CN'),
    qc: await house('SZ-Q', '深圳质检仓', 'LOCAL', 'QC', '深圳仓', 'CN'),
    defective: await house('SZ-B', '深圳次品仓', 'LOCAL', 'DEFECTIVE', '深圳仓', 'CN'),
    overseas: await house('LA-A', '洛杉矶海外仓', 'OVERSEAS', 'GOOD', '美西海外仓', 'US'),
  };
  await sql`
    UPDATE warehouse.warehouse SET is_default = true
     WHERE company_id = ${ctx.companyId} AND id = ANY(${[houses.shenzhen, houses.qc, houses.defective, houses.overseas]}::uuid[])`.execute(
    ctx.db,
  );
  await add(ctx, {
    warehouseId: houses.shenzhen,
    area: 'A-B',
    rack: '1-4',
    shelf: '1-3',
    bin: '1-4',
    type: 'STORAGE',
    lengthCm: 80,
    widthCm: 60,
    heightCm: 50,
  });
  return houses;
}

/** What happened lately to the n-th product: every figure follows from n, so that each start shows the same. */
function history(
  clock: Clock,
  houses: Houses,
  product: string,
  n: number,
): { ago: number; event: string; moves: Move[] }[] {
  const here = { warehouse: houses.shenzhen, status: 'AVAILABLE' as const };
  const there = (status: 'IN_TRANSIT' | 'AVAILABLE') => ({ warehouse: houses.overseas, status });
  const unit = (8 + ((n * 37) % 90) / 4).toFixed(4);
  const first = 120 + ((n * 53) % 400);
  return [
    {
      ago: 3,
      event: 'open',
      moves: [
        {
          product,
          qty: first,
          from: 'OPENING',
          to: here,
          cost: { unit, firstDay: clock.dayAhead(-20 - ((n * 29) % 380)) },
        },
        {
          product,
          qty: 60 + (n % 5) * 10,
          from: 'OPENING',
          to: here,
          cost: { unit, firstDay: clock.dayAhead(-5 - (n % 40)) },
        },
      ],
    },
    { ago: 2, event: 'sell', moves: [{ product, qty: 10 + (n % 23), from: here, to: 'CUSTOMER' }] },
    { ago: 2, event: 'ship', moves: [{ product, qty: 40 + (n % 30), from: here, to: there('IN_TRANSIT') }] },
    {
      ago: 1,
      event: 'arrive',
      moves: [{ product, qty: 30 + (n % 10), from: there('IN_TRANSIT'), to: there('AVAILABLE') }],
    },
    { ago: 1, event: 'sell2', moves: [{ product, qty: 5 + (n % 17), from: here, to: 'CUSTOMER' }] },
    ...(n % 6 === 0
      ? [
          {
            ago: 0,
            event: 'inspect',
            moves: [{ product, qty: 3, from: here, to: { warehouse: houses.qc, status: 'QUARANTINE' as const } }],
          },
        ]
      : []),
    ...(n % 9 === 0
      ? [
          {
            ago: 0,
            event: 'break',
            moves: [{ product, qty: 2, from: here, to: { warehouse: houses.defective, status: 'DEFECTIVE' as const } }],
          },
        ]
      : []),
  ];
}

const NUMBERS: Record<string, string> = {
  open: 'QC',
  sell: 'CK',
  sell2: 'CK',
  ship: 'HW',
  arrive: 'HW',
  inspect: 'DB',
  break: 'DB',
};

/**
 * Gives a company warehouses, with opening stock and a few days of movement of its first products, so that there is
 * something to look at. Answers false, and does nothing, where there is no product yet. The caller's rights count: run it
 * as the system.
 */
export async function demoStock(ctx: Ctx): Promise<boolean> {
  const { rows: products } = await sql<{ id: string }>`
    SELECT id FROM product.local_product WHERE company_id = ${ctx.companyId} ORDER BY sku LIMIT 60`.execute(ctx.db);
  if (products.length === 0) return false;
  const houses = await makeHouses(ctx);
  const events = products.flatMap(({ id }, n) => history(ctx.runtime.clock, houses, id, n));
  for (const event of Object.keys(NUMBERS)) {
    const same = events.filter((one) => one.event === event);
    const [first] = same;
    if (!first) continue;
    const number = `${NUMBERS[event]}${ctx.clock.dayAhead(-first.ago).slice(2).replaceAll('-', '')}0001`;
    await post(ctx, {
      source: { type: 'warehouse.demo', id: event, event, number },
      day: ctx.clock.dayAhead(-first.ago),
      moves: same.flatMap((one) => one.moves),
    });
  }
  const lines = products
    .slice(0, 12)
    .map(({ id }, n) => ({ line: String(n), product: id, warehouse: houses.shenzhen, qty: 4 + n }));
  await reserve(ctx, { source: { type: 'warehouse.demo', id: 'reserve', event: 'approve', number: 'CK-演示' }, lines });
  await foldSnapshots(ctx);
  await runHealth(ctx);
  return true;
}
