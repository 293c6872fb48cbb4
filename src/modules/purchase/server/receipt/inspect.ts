import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { type Move, requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { answerOf, touch } from '../order/act.ts';
import { happen } from '../order/events.ts';
import type { Change } from '../order/quantities.ts';
import { settle } from '../order/settle.ts';
import { placeFor } from '../places.ts';
import { lockedReceipt, type Receipt } from './load.ts';

interface Found {
  lineId: string;
  passed: number;
  special: number;
  rejected: number;
  reason: string;
}

export interface Inspection {
  id: string;
  version?: number | undefined;
  defectiveAt?: string | undefined;
  lines: readonly Found[];
}

const checked = (found: Found) => found.passed + found.special + found.rejected;

/** @throws conflict for a stale version, refused B1033 for more than waits */
function requireWaiting(receipt: Receipt, input: Inspection): void {
  if (input.version !== undefined && input.version !== receipt.version)
    throw conflict('到货单已被他人修改，请刷新后重试');
  if (new Set(input.lines.map((line) => line.lineId)).size < input.lines.length)
    throw refused('不能重复添加明细', 'B1033');
  for (const found of input.lines) {
    const line = receipt.lines.find((one) => one.id === found.lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1033');
    if (checked(found) === 0) throw refused('请填写质检数量', 'B1033');
    if (checked(found) > line.inspecting) throw refused(`质检数量超过待检 ${line.inspecting}`, 'B1033');
    if (found.special + found.rejected > 0 && found.reason === '') throw refused('特采和不合格须填写原因', 'B1033');
  }
}

/** Good pieces go to the order's warehouse, bad ones to the defective one; cost and age go with them. */
function movesOf(receipt: Receipt, input: Inspection, defective: string | undefined): Move[] {
  const from = { warehouse: receipt.inspectedAt ?? '', status: 'QUARANTINE' } as const;
  return input.lines.flatMap((found): Move[] => {
    const line = receipt.lines.find((one) => one.id === found.lineId);
    if (!line) return [];
    const good = found.passed + found.special;
    const to = { warehouse: receipt.order.warehouse, status: 'AVAILABLE' } as const;
    return [
      ...(good > 0 ? [{ product: line.product, qty: good, from, to }] : []),
      ...(found.rejected > 0 && defective
        ? [
            {
              product: line.product,
              qty: found.rejected,
              from,
              to: { warehouse: defective, status: 'DEFECTIVE' as const },
            },
          ]
        : []),
    ];
  });
}

async function write(ctx: Ctx, receipt: Receipt, lines: readonly Found[]): Promise<void> {
  const rows = JSON.stringify(lines);
  await sql`
    UPDATE purchase.receipt_line AS l
       SET inspecting = l.inspecting - v.passed - v.special - v.rejected, passed = l.passed + v.passed,
           special = l.special + v.special, rejected = l.rejected + v.rejected
      FROM jsonb_to_recordset(${rows}::jsonb) AS v("lineId" uuid, passed int, special int, rejected int)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v."lineId"`.execute(ctx.db);
  await sql`
    INSERT INTO purchase.inspection (company_id, receipt_line_id, passed, special, rejected, reason, by_name)
    SELECT ${ctx.companyId}, v."lineId", v.passed, v.special, v.rejected, v.reason, ${ctx.userName}
      FROM jsonb_to_recordset(${rows}::jsonb) AS v("lineId" uuid, passed int, special int, rejected int, reason text)`.execute(
    ctx.db,
  );
  await sql`
    UPDATE purchase.receipt AS r SET version = version + 1,
           state = CASE WHEN EXISTS (SELECT FROM purchase.receipt_line AS l WHERE l.company_id = r.company_id
             AND l.receipt_id = r.id AND l.inspecting > 0) THEN 'inspecting' ELSE 'done' END
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${receipt.id}`.execute(ctx.db);
}

/** Pieces by line of the order; one order line may have come in several lines of the receipt. */
function changesOf(receipt: Receipt, lines: readonly Found[]): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const found of lines) {
    const line = receipt.lines.find((one) => one.id === found.lineId);
    if (!line || line.free) continue;
    const old = changes.get(line.orderLine) ?? {};
    changes.set(line.orderLine, {
      inspecting: (old.inspecting ?? 0) - checked(found),
      rejected: (old.rejected ?? 0) + found.rejected,
    });
  }
  return changes;
}

/** Writes down what an inspection found. @throws refused B1033 more than waits, B1030 no defective warehouse */
export async function inspect(ctx: Ctx, input: Inspection): Promise<Outcome> {
  const receipt = await lockedReceipt(ctx, input.id);
  requireMove(ctx, receipt.order.warehouse);
  requireWaiting(receipt, input);
  const bad = input.lines.reduce((total, line) => total + line.rejected, 0);
  const good = input.lines.reduce((total, line) => total + line.passed + line.special, 0);
  const defective = bad > 0 ? (await placeFor(ctx, 'DEFECTIVE', input.defectiveAt)).id : undefined;
  const effect = await happen(ctx, receipt.order, {
    event: 'inspect',
    changes: changesOf(receipt, input.lines),
    moves: movesOf(receipt, input, defective),
    note: receipt.number,
  });
  await write(ctx, receipt, input.lines);
  const words = `${receipt.number}，合格 ${good} 件，不合格 ${bad} 件`;
  await note(ctx, purchaseOrder.name, receipt.order.id, { kind: 'note', title: '质检', body: words });
  await audit(ctx, {
    action: '登记质检',
    resource: 'purchase.receipt',
    resourceId: receipt.id,
    after: { number: receipt.number, lines: input.lines },
  });
  await settle(ctx, await touch(ctx, effect.order));
  return answerOf(ctx, receipt.order.id, `${receipt.number} 质检已登记`);
}
