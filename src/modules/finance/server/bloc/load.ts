import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentKind, DocumentRow } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type BlocKind, type BlocState, blocRequest, OWN_NAME } from '../../contract/bloc.ts';

export const TABLE = 'finance.bloc_request';

/** A company that takes part: a partner of the group, or the own company. */
export interface Side {
  /** Null is the own company. */
  id: string | null;
  /** What the form calls its place. */
  title: '出方' | '入方';
}

/** A request as its rules see it. */
export interface Bloc extends DocumentRow {
  state: BlocState;
  number: string;
  kind: BlocKind;
  giverId: string | null;
  takerId: string | null;
  currency: string;
  amount: string;
  payee: string;
  wishedOn: string | null;
  dueOn: string | null;
  reason: string;
  remark: string;
  createdBy: string | null;
  approvedBy: string | null;
  /** Of the ledger, once it was carried out. */
  postingId: string | null;
  payableId: string | null;
}

async function headOf(ctx: Ctx, id: string, lock: boolean): Promise<Bloc> {
  const { rows } = await sql<Bloc>`
    SELECT id, number, state, version, kind, giver_id AS "giverId", taker_id AS "takerId", currency,
           trim_scale(amount)::text AS amount, payee, wished_on AS "wishedOn", due_on AS "dueOn", reason, remark,
           created_by AS "createdBy", approved_by AS "approvedBy", posting_id AS "postingId", payable_id AS "payableId"
      FROM finance.bloc_request
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound();
  return row;
}

/** The request, its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<Bloc> => headOf(ctx, id, true);

/** The request as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<Bloc> => headOf(ctx, id, false);

/** The kind of document with a rule of one transition. */
export function kindWith(rules: NonNullable<DocumentKind<Bloc>['rules']> = {}): DocumentKind<Bloc> {
  return { def: blocRequest, table: TABLE, load: loaded, rules };
}

/** Both sides as the form names them. */
export const sidesOf = ({ giverId, takerId }: Pick<Bloc, 'giverId' | 'takerId'>): [giver: Side, taker: Side] => [
  { id: giverId, title: '出方' },
  { id: takerId, title: '入方' },
];

/**
 * Names of both sides.
 * @throws refused B0970 where they are the same company, or one is no company of the group that is in use
 */
export async function requireSides(
  ctx: Ctx,
  sides: readonly [giver: Side, taker: Side],
): Promise<{ giver: string; taker: string }> {
  const [giver, taker] = sides;
  if (giver.id === taker.id) throw refused('出方与入方不能是同一家公司', 'B0970');
  const rows = await ctx.db
    .selectFrom('finance.partner')
    .select(['id', 'name', 'kind', 'disabled'])
    .where('company_id', '=', ctx.companyId)
    .where(
      'id',
      'in',
      [giver.id, taker.id].flatMap((id) => id ?? []),
    )
    .execute();
  const nameOf = ({ id, title }: Side): string => {
    if (id === null) return OWN_NAME;
    const row = rows.find((one) => one.id === id);
    if (!row) throw refused(`${title}不存在，请选择集团内公司`, 'B0970');
    if (row.kind !== 'GROUP') throw refused(`${title}【${row.name}】不是集团内公司`, 'B0970');
    if (row.disabled) throw refused(`${title}【${row.name}】已停用`, 'B0970');
    return row.name;
  };
  return { giver: nameOf(giver), taker: nameOf(taker) };
}
