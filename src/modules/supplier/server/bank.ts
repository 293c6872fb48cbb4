import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';

export interface Bank {
  bankName: string;
  accountName: string;
  account: string;
}

/** How long approved bank details rest before they count, so that a wrong change can still be caught. */
const HOLD_HOURS = 24;

const tailOf = (account: string) => account.replace(/\W/g, '').slice(-4);

/** Bank details that count now: a change that has rested long enough has taken the place of what stood before. */
async function sealedOf(ctx: Ctx, supplierId: string): Promise<string | null> {
  const { rows } = await sql<{ sealed: string | null }>`
    SELECT coalesce((SELECT c.bank_sealed FROM supplier.bank_change AS c
                      WHERE c.company_id = s.company_id AND c.supplier_id = s.id AND c.state = 'approved'
                        AND c.effective_at <= kit.now()), s.bank_sealed) AS sealed
      FROM supplier.supplier AS s WHERE s.company_id = ${ctx.companyId} AND s.id = ${supplierId}`.execute(ctx.db);
  return rows[0]?.sealed ?? null;
}

/** Bank details as they may be shown: the account but for its last digits hidden; null where there are none. */
export async function bankOf(ctx: Ctx, supplierId: string): Promise<Bank | null> {
  const bank = await payTo(ctx, supplierId);
  return bank && { ...bank, account: `****${tailOf(bank.account)}` };
}

/** Bank details in the clear, for a payment only. */
export async function payTo(ctx: Ctx, supplierId: string): Promise<Bank | null> {
  const sealed = await sealedOf(ctx, supplierId);
  return sealed === null ? null : (JSON.parse(ctx.runtime.secrets.decrypt(sealed)) as Bank);
}

/** The change of bank details that is under way, or null. */
export async function openChange(ctx: Ctx, supplierId: string) {
  const row = await ctx.db
    .selectFrom('supplier.bank_change')
    .select([
      'id',
      'state',
      'bank_tail as tail',
      'asked_by_name as askedBy',
      'asked_at as askedAt',
      'effective_at as effectiveAt',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', supplierId)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'pending'),
        eb.and([eb('state', '=', 'approved'), eb('effective_at', '>', sql<string>`kit.now()`)]),
      ]),
    )
    .executeTakeFirst();
  return row ? { ...row, state: row.state as 'pending' | 'approved' } : null;
}

/** Moves a change that has rested long enough into its supplier, so that another can be asked for. */
async function settle(ctx: Ctx, supplierId: string): Promise<void> {
  await sql`
    WITH due AS (
      UPDATE supplier.bank_change SET state = 'applied'
       WHERE company_id = ${ctx.companyId} AND supplier_id = ${supplierId} AND state = 'approved' AND effective_at <= kit.now()
      RETURNING bank_sealed, bank_tail)
    UPDATE supplier.supplier AS s SET bank_sealed = due.bank_sealed, bank_tail = due.bank_tail
      FROM due WHERE s.company_id = ${ctx.companyId} AND s.id = ${supplierId}`.execute(ctx.db);
}

/** Asks for other bank details. @throws AppError B0722 while another change is under way */
export async function ask(ctx: Ctx, { id, ...bank }: Bank & { id: string }): Promise<{ changeId: string }> {
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!supplier) throw notFound();
  await settle(ctx, id);
  if (await openChange(ctx, id)) throw refused('该供应商有未完成的收款账户变更', 'B0722');
  const tail = tailOf(bank.account);
  const row = await ctx.db
    .insertInto('supplier.bank_change')
    .values({
      company_id: ctx.companyId,
      supplier_id: id,
      bank_sealed: ctx.runtime.secrets.encrypt(JSON.stringify(bank)),
      bank_tail: tail,
      asked_by: ctx.userId,
      asked_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '申请修改收款账户',
    resource: 'supplier',
    resourceId: id,
    after: { account: `****${tail}` },
  });
  return { changeId: row.id };
}

/** Agrees to a change or refuses it; never by whoever asked for it. */
export async function decide(
  ctx: Ctx,
  { changeId, agree, reason }: { changeId: string; agree: boolean; reason?: string | undefined },
): Promise<{ effectiveAt: string | null }> {
  const change = await ctx.db
    .selectFrom('supplier.bank_change')
    .select(['supplier_id', 'asked_by', 'state', 'bank_tail'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', changeId)
    .forUpdate()
    .executeTakeFirst();
  if (!change) throw notFound();
  if (change.state !== 'pending') throw refused('该变更已处理', 'B0723');
  if (change.asked_by === ctx.userId) throw refused('不能审批自己提交的单据', 'B0724');
  const row = await ctx.db
    .updateTable('supplier.bank_change')
    .set({
      state: agree ? 'approved' : 'rejected',
      decided_by: ctx.userId,
      decided_by_name: ctx.userName,
      decided_at: sql<string>`kit.now()`,
      reason: reason ?? null,
      effective_at: agree ? sql<string>`kit.now() + make_interval(hours => ${HOLD_HOURS})` : null,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', changeId)
    .returning('effective_at')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: agree ? '同意修改收款账户' : '拒绝修改收款账户',
    resource: 'supplier',
    resourceId: change.supplier_id,
    after: { account: `****${change.bank_tail}`, reason },
  });
  return { effectiveAt: row.effective_at };
}
