import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { clausesIn, type OrderClauses } from '../../contract/clause.ts';
import type { OrderInput } from '../../contract/order.ts';
import { defaultTemplate, requirePenalty, templateOf } from './templates.ts';

/** Clauses as an order keeps them. */
export interface Kept {
  clauses: string[];
  clause_template_id: string | null;
  clause_template: string;
  /** Share; null: no clause asks for it. */
  clause_penalty: string | null;
}

const NONE: Kept = { clauses: [], clause_template_id: null, clause_template: '', clause_penalty: null };

async function keptOf(ctx: Ctx, orderId: string): Promise<Kept> {
  return ctx.db
    .selectFrom('purchase.purchase_order')
    .select(['clauses', 'clause_template_id', 'clause_template', 'clause_penalty'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

const same = (a: Kept, b: Kept) =>
  a.clauses.join('\n') === b.clauses.join('\n') &&
  a.clause_template_id === b.clause_template_id &&
  new Decimal(a.clause_penalty ?? -1).equals(b.clause_penalty ?? -1);

async function written(ctx: Ctx, { templateId, lines, penalty }: OrderClauses, before: Kept): Promise<Kept> {
  const template = templateId === null ? undefined : await templateOf(ctx, templateId);
  if (templateId !== null && !template && !lines) throw refused('合同条款模板不存在或已删除', 'B1122');
  // The template may be gone by now: what an order has of it stays its own.
  const mine = templateId !== null && templateId === before.clause_template_id;
  const clauses = lines ?? clausesIn(template?.body ?? '');
  const kept: Kept = {
    clauses,
    clause_template_id: template || mine ? templateId : null,
    clause_template: template?.name ?? (mine ? before.clause_template : ''),
    clause_penalty: penalty === undefined ? (template?.penalty ?? null) : penalty,
  };
  requirePenalty(clauses, kept.clause_penalty);
  return kept;
}

/**
 * Clauses that an order is written with: those of the input; left out, a new order begins with the template of its type
 * and any other keeps what it has. From submission on they stand: an approved order is changed without them.
 * @throws refused B1121 for other clauses once it was handed in, B1122 a template that is gone, B1123 no penalty
 */
export async function clausesFor(
  ctx: Ctx,
  input: Pick<OrderInput, 'type' | 'clauses'>,
  order?: { id: string; state: string },
): Promise<Kept> {
  if (!order) {
    if (input.clauses) return written(ctx, input.clauses, NONE);
    const templateId = await defaultTemplate(ctx, input.type);
    return templateId === undefined ? NONE : written(ctx, { templateId }, NONE);
  }
  const before = await keptOf(ctx, order.id);
  if (!input.clauses) return before;
  const next = await written(ctx, input.clauses, before);
  if (order.state !== 'draft' && !same(before, next))
    throw refused('合同条款自提交起不能修改，请先撤回到草稿', 'B1121');
  return next;
}
