import { sql } from 'kysely';
import { currencyScale, Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, forbidden, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import type { CostOutcome } from '../contract/calls.ts';
import { type CostInput, costDocument, MOST_DAYS, MOST_LINES, POST } from '../contract/document.ts';
import { posted } from './act.ts';
import { requireType } from './fee-types.ts';
import { mirrorLines } from './ledger.ts';
import { daysOf } from './lines.ts';
import { type Cost, loaded, locked, requireOwn, requireWhole } from './load.ts';

/** @throws B2301 for an amount with more decimals than its currency has, named as `title` */
function requireScale(title: string, amount: string, currency: string): void {
  if (new Decimal(amount).decimalPlaces() > currencyScale(currency)) {
    throw refused(`${title}：请输入正确的金额，${currency} 最多 ${currencyScale(currency)} 位小数`, 'B2301');
  }
}

/** @throws B2301 amounts, B2302 rows that do not add up, B2303 the period, B2304 rows of the same SKU */
function requireSense({ amount, currency, from, to, rows }: CostInput): void {
  requireScale('金额', amount, currency);
  for (const [index, row] of rows.entries()) requireScale(`第${index + 1}行分摊金额`, row.amount, currency);
  const total = Decimal.sum(0, ...rows.map((row) => row.amount));
  if (!total.eq(amount)) {
    throw refused(`分摊合计 ${total.toFixed()} 与费用金额 ${plainDecimal(amount)} 不一致`, 'B2302');
  }
  if (from > to) throw refused('分摊结束不能早于分摊开始', 'B2303');
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days > MOST_DAYS) throw refused(`分摊区间最多 ${MOST_DAYS} 天`, 'B2303');
  if (daysOf(from, to).length * rows.length > MOST_LINES)
    throw refused('行数乘以天数过多，请缩短区间或减少商品', 'B2303');
  const keys = new Set(rows.map(({ store, sku }) => `${store} ${sku}`));
  if (keys.size < rows.length) throw refused('同一店铺的同一 SKU 只能有一行', 'B2304');
}

/** @throws B2305 for a store that the company does not sell in */
export async function requireStores(ctx: Ctx, { rows }: { rows: readonly { store: string }[] }): Promise<void> {
  const stores = [...new Set(rows.map(({ store }) => store))];
  const { rows: known } = await sql<{ key: string }>`
    SELECT marketplace_id || '-' || account_id AS key FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const keys = new Set(known.map(({ key }) => key));
  if (stores.some((store) => !keys.has(store))) throw refused('店铺不存在，请重新选择', 'B2305');
}

const valuesOf = ({ feeType, currency, amount, from, to, remark }: CostInput) => ({
  fee_type: feeType,
  currency,
  amount,
  date_from: from,
  date_to: to,
  remark,
});

/** The document of another module that makes a cost; `path` shows it at `?id=`. */
export interface CostSource {
  id: string;
  number: string;
  path: string;
}

async function created(ctx: Ctx, input: CostInput, kind: Cost['kind'], source?: CostSource): Promise<Cost> {
  const number = await nextNumber(ctx, costDocument.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('costshare.document')
    .values({
      company_id: ctx.companyId,
      number,
      state: costDocument.initial,
      kind,
      created_by_name: ctx.userName,
      ...(source && { source_id: source.id, source_number: source.number, source_path: source.path }),
      ...valuesOf(input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return locked(ctx, id);
}

/** @throws conflict for a stale version or a document that is void; forbidden for a posted one and no right to post */
async function changed(ctx: Ctx, doc: Cost, input: CostInput): Promise<void> {
  if (input.version !== undefined && input.version !== doc.version) throw conflict('单据状态已变更，请刷新');
  if (doc.state === 'reversed') throw conflict('单据状态为【已作废】，不能执行【修改】');
  if (doc.state === 'posted') {
    if (!can(ctx, POST)) throw forbidden(POST);
    await mirrorLines(ctx, doc);
  }
  await ctx.db
    .updateTable('costshare.document')
    .set({ ...valuesOf(input), version: doc.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
}

async function writeRows(ctx: Ctx, id: string, { rows }: CostInput): Promise<void> {
  await ctx.db
    .deleteFrom('costshare.document_row')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', id)
    .execute();
  await ctx.db
    .insertInto('costshare.document_row')
    .values(
      rows.map(({ store, sku, amount }, index) => {
        const { accountId, marketplaceId } = siteOf(store);
        return {
          company_id: ctx.companyId,
          document_id: id,
          row_no: index + 1,
          account_id: accountId,
          marketplace_id: marketplaceId,
          sku,
          amount,
        };
      }),
    )
    .execute();
}

/**
 * Writes a draft for a document of another module, which has checked the type. @throws B2301 to B2305 what does not fit together
 */
export async function make(ctx: Ctx, input: CostInput, source: CostSource): Promise<Cost> {
  requireSense(input);
  const doc = await created(ctx, input, 'SHARE', source);
  await writeRows(ctx, doc.id, input);
  await note(ctx, costDocument.name, doc.id, { kind: 'note', title: '创建', body: source.number });
  return doc;
}

/**
 * Writes a new draft or changes one; one that is posted is taken back and posted anew with what it says now. `kind` is of a new one.
 * @throws B0930 rate, B2301 to B2305 what does not fit together, B2306 the type, B2309 stores that the caller does not see, B2310 what another document made; conflict for a stale version or state
 */
export async function save(ctx: Ctx, input: CostInput, kind: Cost['kind'] = 'SHARE'): Promise<CostOutcome> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before) requireOwn(before, kind);
  if (before) await requireWhole(ctx, before);
  requireSense(input);
  await requireStores(ctx, input);
  if (before?.feeType !== input.feeType) await requireType(ctx, input.feeType);
  if (before) await changed(ctx, before, input);
  const { id, number } = before ?? (await created(ctx, input, kind));
  await writeRows(ctx, id, input);
  if (before?.state === 'posted') await posted(ctx, await loaded(ctx, id));
  const { id: _id, version: _version, rows: _rows, ...written } = input;
  await note(ctx, costDocument.name, id, { kind: 'note', title: before ? '修改' : '创建' });
  await audit(ctx, {
    action: '费用分摊单·保存',
    resource: costDocument.name,
    resourceId: id,
    ...(before ? { before: { amount: before.amount, feeType: before.feeType } } : {}),
    after: { number, ...written, rows: input.rows.length },
  });
  const { state, version } = await loaded(ctx, id);
  return { id, number, state, version, message: `费用分摊单${number}已保存` };
}
