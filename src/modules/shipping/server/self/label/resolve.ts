import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { resolveLabel } from '../../../contract/self/label.ts';
import type { CommandInput } from '../act.ts';
import { loaded, locked, type SelfDoc } from '../load.ts';
import { type BoughtLabel, carrierBy } from './carrier.ts';
import { keepFile, settleBought, settleFailed } from './settle.ts';
import { type Label, newestLabel, putLabel, say } from './store.ts';

async function fresh(ctx: Ctx, doc: SelfDoc, message: string): Promise<Outcome> {
  const { version } = await loaded(ctx, doc.id);
  return outcome({ ...doc, version }, message);
}

/** @throws conflict where nothing is unknown */
async function unknownOf(ctx: Ctx, doc: SelfDoc): Promise<Label> {
  requireMove(ctx, doc.warehouse);
  const label = await newestLabel(ctx, doc);
  if (label?.state !== 'unknown') throw conflict('面单没有待核实的结果');
  return label;
}

/** What a person found out. @throws refused B1424 for a label without its tracking number; conflict where nothing is unknown */
export async function resolveOne(ctx: Ctx, input: z.output<typeof resolveLabel.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  requireFresh(doc, input.version);
  const label = await unknownOf(ctx, doc);
  if (input.verdict === 'failed') {
    await settleFailed(ctx, doc, label, `人工核实：亚马逊没有这张面单${input.reason ? `（${input.reason}）` : ''}`);
    return fresh(ctx, doc, '已记录未成功，可以重新申请');
  }
  if (input.trackingNo === '') throw refused('请填写运单号', 'B1424');
  const shipmentNo = input.shipmentNo === '' ? null : input.shipmentNo;
  await settleBought(ctx, doc, label, { shipmentNo, trackingNo: input.trackingNo, file: null });
  return fresh(ctx, doc, '已记录已成功');
}

const nothing = '订单上还没有这个包裹，请稍后再核实，或在卖家后台查看后选择结果';

/** A label that is known lacks its file: it is written beside it. */
async function putFile(ctx: Ctx, doc: SelfDoc, label: Label, found: BoughtLabel): Promise<Outcome> {
  if (!found.file) throw conflict('亚马逊没有给出面单文件，请在卖家后台下载');
  const file = await keepFile(ctx, doc, label, found.file);
  const charged = found.charged === undefined ? {} : { charged: found.charged };
  await putLabel(ctx, label, 'bought', { file_id: file, ...charged });
  await say(ctx, doc.id, '取回面单文件');
  return fresh(ctx, doc, '已取回面单文件');
}

/**
 * 核实: asks the platform outside of any transaction, and writes what it found.
 * @throws conflict where it finds nothing or there is nothing to find out; AppError of the platform
 */
export async function lookOne(open: OpenCtx, { id }: CommandInput): Promise<Outcome> {
  const { runtime, principal, requestId, ip } = open;
  const work = { runtime, companyId: principal.companyId };
  const known = await inTenant(runtime, principal, async (ctx) => newestLabel(ctx, await loaded(ctx, id)));
  if (!known) throw conflict('面单没有待核实的结果');
  const carrier = carrierBy(runtime, known.seller);
  const { shipmentNo } = known;
  const lacksFile = known.state === 'bought' && known.fileId === null;
  if (lacksFile && shipmentNo === null) throw conflict('没有亚马逊货件编号，请在卖家后台下载面单');
  if (!lacksFile && known.state !== 'unknown') throw conflict('面单没有待核实的结果');
  const found =
    lacksFile && shipmentNo !== null
      ? await carrier.fetch(work, { ...known, shipmentNo })
      : await carrier.look(work, known);
  if (!found) throw conflict(nothing);
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      const doc = await locked(ctx, id);
      requireMove(ctx, doc.warehouse);
      const label = await newestLabel(ctx, doc);
      if (label?.id !== known.id || label.state !== known.state) throw conflict('面单状态已变化，请刷新');
      if (lacksFile) return putFile(ctx, doc, label, found);
      await settleBought(ctx, doc, label, found);
      return fresh(ctx, doc, `已核实：运单号 ${found.trackingNo}`);
    },
    { requestId, ip },
  );
}
