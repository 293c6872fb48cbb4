import { audit } from '#kit/server/audit.ts';
import { chanceNumber } from '#kit/server/chance-number.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import { accountOf } from '#modules/marketplace/server/index.ts';
import { siteParts } from '#modules/publish/server/index.ts';
import type { McfWish, WishedLine } from '../../contract/create.ts';
import { sealRecipient, shownOf } from '../address.ts';
import { lineProblem } from '../amazon/words.ts';
import { submitOne } from './submit.ts';

/** A site of the company's with its parts. @throws 400 with the field */
async function siteOf(ctx: Ctx, site: string) {
  const { accountId, marketplaceId } = siteParts(site);
  const account = await accountOf(ctx.db, ctx.companyId, accountId);
  if (!account?.marketplaceIds.includes(marketplaceId)) {
    throw invalid([{ field: 'site', title: '店铺/站点', msg: '店铺站点不存在或未授权' }]);
  }
  return { accountId, marketplaceId };
}

/** SKUs that lie at Amazon for a site: only these can be sent from there. */
export async function skusThere(
  ctx: Ctx,
  of: { accountId: string; marketplaceId: string; skus: readonly string[] },
): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('inventory.fba_stock')
    .select('seller_sku')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', of.accountId)
    .where('marketplace_id', '=', of.marketplaceId)
    .where('seller_sku', 'in', [...of.skus])
    .execute();
  return new Set(rows.map((row) => row.seller_sku));
}

async function checkLines(ctx: Ctx, site: { accountId: string; marketplaceId: string }, lines: readonly WishedLine[]) {
  const known = await skusThere(ctx, { ...site, skus: lines.map(({ sku }) => sku) });
  const problems = lines.flatMap(({ sku }, index) =>
    known.has(sku) ? [] : [{ field: `lines.${index}.sku`, title: 'MSKU', msg: `${sku} 在该站点没有 FBA 库存` }],
  );
  if (problems.length > 0) throw invalid(problems);
}

/** Whether an account has an order of this number. */
export async function numberTaken(ctx: Ctx, accountId: string, number: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('fulfillment.mcf_order')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes an order as a draft; returns its id. Its site and SKUs must be right. */
export async function insertDraft(
  ctx: Ctx,
  site: { accountId: string; marketplaceId: string },
  wish: Omit<McfWish, 'site'>,
): Promise<string> {
  const { lines, platform, orderNo, speed, policy, hold, blankBox, comment = '', number, ...to } = wish;
  const [lead] = lines;
  const { id } = await ctx.db
    .insertInto('fulfillment.mcf_order')
    .values({
      company_id: ctx.companyId,
      account_id: site.accountId,
      marketplace_id: site.marketplaceId,
      number: number || chanceNumber('MCF', ctx.clock.today()),
      origin: 'ERP',
      platform,
      order_no: orderNo,
      ordered_at: ctx.clock.now().toISOString(),
      state: 'DRAFT',
      speed,
      policy,
      hold,
      blank_box: blankBox,
      comment,
      ...shownOf(to),
      address: sealRecipient(ctx, to),
      lead_sku: lead?.sku ?? '',
      line_count: lines.length,
      units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('fulfillment.mcf_line')
    .values(
      lines.map(({ sku, quantity }, index) => ({
        company_id: ctx.companyId,
        mcf_id: id,
        line_no: index + 1,
        item_id: String(index + 1),
        seller_sku: sku,
        quantity,
      })),
    )
    .execute();
  return id;
}

/** 新建: a draft, or an order that is handed in at once. @throws 400 with the fields that are wrong */
export async function createMcf(ctx: Ctx, { site, draft, ...wish }: McfWish & { draft: boolean }): Promise<string> {
  const there = await siteOf(ctx, site);
  await checkLines(ctx, there, wish.lines);
  const line = lineProblem(wish);
  if (line) throw invalid([{ field: 'line1', title: '地址1', msg: line }]);
  if (wish.number && (await numberTaken(ctx, there.accountId, wish.number))) {
    throw invalid([{ field: 'number', title: '履约单号', msg: '该店铺已有这个履约单号' }]);
  }
  const id = await insertDraft(ctx, there, wish);
  if (!draft) await submitOne(ctx, id);
  const { platform, orderNo, speed, hold, lines } = wish;
  // Who gets it stands in no log.
  const after = { platform, orderNo, speed, hold, lines };
  await audit(ctx, { action: '新建多渠道订单', resource: 'fulfillment.mcf', resourceId: id, after });
  return id;
}
