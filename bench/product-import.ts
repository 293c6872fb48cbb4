import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { checkFile, commitFile } from '#modules/product/server/imports/engine.ts';
import { reportTimes, step, timed } from './support/measure.ts';
import type { BenchWorld } from './support/world.ts';

const HEAD = 'SKU,名称,规格,单位,条码,采购成本(CNY),净品长(cm),净品宽(cm),净品高(cm),净品重(kg),单箱数量,生效日期,备注';

function* lines(count: number): Generator<string> {
  yield `${HEAD}\n`;
  for (let n = 1; n <= count; n += 1) {
    const size = `${(n % 60) + 5},${(n % 40) + 4},${(n % 30) + 3}.5,0.${String((n % 900) + 100)}`;
    yield `BENCH-${n},保温杯 第${n}款,${(n % 9) * 100}ml,件,69${String(n).padStart(11, '0')},${(n % 200) + 1}.${n % 10},${size},${(n % 48) + 1},2026-01-31,备注 ${n}\n`;
  }
}

/** By hand: COPY the bytes into text columns, then one INSERT … SELECT for products, sizes and costs each. */
async function byHand(world: BenchWorld, companyId: string, bytes: Buffer): Promise<void> {
  const { admin } = world;
  await admin.query('BEGIN');
  await admin.query(
    `CREATE TEMP TABLE raw (sku text, name text, spec text, unit text, barcode text, cost text, l text, w text, h text,
                            kg text, units text, day text, remark text) ON COMMIT DROP`,
  );
  await pipeline(Readable.from([bytes]), admin.query(copyFrom('COPY raw FROM STDIN (FORMAT csv, HEADER true)')));
  await admin.query(
    `INSERT INTO product.local_product (company_id, sku, name, specification, unit, barcode, effective_date, remark)
     SELECT $1, sku, name, spec, unit, barcode, day::date, remark FROM raw ON CONFLICT DO NOTHING`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO product.dimension (company_id, product_id, role, length, width, height, weight, units_per_carton)
     SELECT $1, p.id, 'net', r.l::numeric, r.w::numeric, r.h::numeric, r.kg::numeric, NULL FROM raw AS r
       JOIN product.local_product AS p ON p.company_id = $1 AND p.sku = r.sku
     UNION ALL
     SELECT $1, p.id, 'carton', NULL, NULL, NULL, NULL, r.units::int FROM raw AS r
       JOIN product.local_product AS p ON p.company_id = $1 AND p.sku = r.sku`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO product.sku_cost (company_id, sku, valid_from, unit_cost, updated_by_name)
     SELECT $1, sku, '2000-01-01', cost::numeric, '测量' FROM raw`,
    [companyId],
  );
  await admin.query('COMMIT');
}

/** Import of a table of products, checked row by row and written, against COPY plus INSERT … SELECT of the same bytes. */
export async function productImport(world: BenchWorld, count: number): Promise<void> {
  const bytes = Buffer.from([...lines(count)].join(''));
  const principal = await world.company();
  const other = await world.company();
  const open = (): OpenCtx => ({
    ip: '127.0.0.1',
    userAgent: 'bench',
    requestId: 'bench',
    session: undefined,
    cookies: {},
    runtime: world.runtime,
    principal,
    upload: async () => ({ fileName: 'products.csv', mediaType: 'text/csv', stream: Readable.from([bytes]) }),
  });
  const load = () =>
    timed(world, async () => {
      const found = await checkFile(open(), 'product');
      if (!found.id) throw new Error(JSON.stringify(found.problems.slice(0, 3)));
      const { id } = found;
      return inTenant(world.runtime, principal, (ctx) => commitFile(ctx, id), { timeoutMs: 10 * 60_000 });
    });
  const baseline = await step('by hand', () => timed(world, () => byHand(world, other.companyId, bytes)));
  const ours = await step('product', load);
  const again = await step('the same again', load);
  const name = `product table, ${count} rows, ${(bytes.length / 1e6).toFixed(0)} MB`;
  reportTimes(name, ours, baseline, '<= 4');
  reportTimes('  the same file again', again, baseline, '<= 4');
}
