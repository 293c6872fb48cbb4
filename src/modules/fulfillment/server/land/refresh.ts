import { audit } from '#kit/server/audit.ts';
import { notFound } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { asked, siteOf } from '#modules/publish/server/index.ts';
import type { Recipient } from '../../contract/create.ts';
import { openRecipient } from '../address.ts';
import { readOrder, readRecipient } from '../amazon/read.ts';
import { landOrder } from './order.ts';
import { askPackages, landTracking, openPackages } from './tracking.ts';

const MOST_PACKAGES = 30;

/** What is needed to ask Amazon about an order of the caller's. @throws 404 */
async function orderOf(open: OpenCtx, id: string) {
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('fulfillment.mcf_order')
        .select(['number', 'account_id', 'marketplace_id', 'address', 'state'])
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) throw notFound('多渠道订单不存在');
      return { ...row, accountId: row.account_id, marketplaceId: row.marketplace_id };
    },
    { readOnly: true },
  );
}

const optionsOf = ({ requestId, ip }: OpenCtx) => ({ requestId, ip });

/** 同步: takes over how an order and its packages stand at this moment. @throws 404; AppError in Chinese */
export async function refreshMcf(open: OpenCtx, id: string): Promise<void> {
  const known = await orderOf(open, id);
  const { api } = await siteOf(open, known);
  const order = await asked(() => readOrder(api, known.number));
  if (!order) return;
  const packages = await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      await landOrder(ctx, known.accountId, order);
      await audit(ctx, {
        action: '同步多渠道订单',
        resource: 'fulfillment.mcf',
        resourceId: id,
        after: { number: known.number },
      });
      return openPackages(ctx, { accountId: known.accountId, mcfId: id }, MOST_PACKAGES);
    },
    optionsOf(open),
  );
  const told = await asked(() => askPackages(api, packages));
  await inTenant(open.runtime, open.principal, (ctx) => landTracking(ctx, told), optionsOf(open));
}

/** 查看收件人: as it was written here, else as Amazon has it; who looked stands in the log. @throws 404; AppError in Chinese */
export async function recipientOf(open: OpenCtx, id: string): Promise<Partial<Recipient>> {
  const known = await orderOf(open, id);
  const there = async () => {
    const { api } = await siteOf(open, known);
    return asked(() => readRecipient(api, known.number));
  };
  const to = known.address === null ? await there() : openRecipient(open, known.address);
  await inTenant(
    open.runtime,
    open.principal,
    (ctx) =>
      audit(ctx, {
        action: '查看多渠道订单收件人',
        resource: 'fulfillment.mcf',
        resourceId: id,
        after: { number: known.number },
      }),
    optionsOf(open),
  );
  return to;
}
