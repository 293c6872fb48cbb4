import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { supplierChoices } from '#modules/supplier/server/index.ts';
import type { saveCarrier } from '../../../contract/transport/calls.ts';
import type { ChannelInput } from '../../../contract/transport/carrier.ts';
import { putChannels } from './channels.ts';

type CarrierInput = z.output<typeof saveCarrier.body>;

async function requireFreeName(ctx: Ctx, { id, name }: CarrierInput): Promise<void> {
  const other = await ctx.db
    .selectFrom('shipping.carrier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(name)`, '=', sql<string>`lower(${name})`)
    .executeTakeFirst();
  if (other && other.id !== id) throw refused(`物流商【${name}】已存在`, 'B1321');
}

function requireChannelsGood(channels: readonly ChannelInput[]): void {
  const seen = new Set<string>();
  for (const { name, daysMin, daysMax } of channels) {
    if (seen.has(name.toLowerCase())) throw refused(`渠道【${name}】重复`, 'B1322');
    seen.add(name.toLowerCase());
    if (daysMin !== null && daysMax !== null && daysMax < daysMin) {
      throw refused(`渠道【${name}】的时效止不能小于起`, 'B1322');
    }
  }
}

/** @throws refused B1324 for a supplier that is not the company's */
async function requireSupplier(ctx: Ctx, id: string | null): Promise<void> {
  if (id === null) return;
  const known = await supplierChoices(ctx);
  if (!known.some((one) => one.id === id)) throw refused('结算供应商不存在或已拉黑', 'B1324');
}

const columnsOf = ({ name, code, contact, phone, terms, supplierId, remark, disabled }: CarrierInput) => {
  return { name, code, contact, phone, terms, supplier_id: supplierId, remark, disabled };
};

async function rewritten(ctx: Ctx, id: string, input: CarrierInput) {
  const before = await ctx.db
    .selectFrom('shipping.carrier')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound('物流商不存在');
  if (input.version !== undefined && input.version !== before.version) {
    throw conflict(`物流商已被 ${before.updated_by_name} 修改，请刷新后重试`);
  }
  const { version } = await ctx.db
    .updateTable('shipping.carrier')
    .set({
      ...columnsOf(input),
      version: before.version + 1,
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  const { name, code, contact, phone, terms, supplier_id, remark, disabled } = before;
  return { id, version, before: { name, code, contact, phone, terms, supplier_id, remark, disabled } };
}

async function created(ctx: Ctx, input: CarrierInput) {
  const row = await ctx.db
    .insertInto('shipping.carrier')
    .values({
      company_id: ctx.companyId,
      ...columnsOf(input),
      created_by_name: ctx.userName,
      updated_by_name: ctx.userName,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  return { ...row, before: undefined };
}

/**
 * Writes a new carrier, or changes one, with the channels that are named.
 * @throws refused B1321 a name that is taken, B1322 channels that cannot be, B1323 another unit for a channel with prices, B1324 supplier;
 *   conflict for a stale version, notFound
 */
export async function saveCarrierOf(ctx: Ctx, input: CarrierInput): Promise<{ id: string; version: number }> {
  requireChannelsGood(input.channels);
  await requireFreeName(ctx, input);
  await requireSupplier(ctx, input.supplierId);
  const { id, version, before } = input.id ? await rewritten(ctx, input.id, input) : await created(ctx, input);
  await putChannels(ctx, id, input.channels);
  await audit(ctx, {
    action: before ? '修改物流商' : '新增物流商',
    resource: 'shipping.carrier',
    resourceId: id,
    ...(before ? { before } : {}),
    after: { ...columnsOf(input), channels: input.channels.map(({ id: _, ...channel }) => channel) },
  });
  return { id, version };
}
