import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { AccountForm, AccountRow, NewAccountForm } from '../../contract/accounts.ts';
import { minus } from '../../contract/fields.ts';
import { post, setOverdraft } from '../ledger/post.ts';

const RESOURCE = 'finance.account';

/** All accounts of the company with their balances, those in use first. */
export async function accounts(ctx: Ctx): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    SELECT a.id, a.name, a.method, a.currency, coalesce(b.amount, 0)::text AS balance, coalesce(b.bound, 0)::text AS overdraft,
           a.bank_name AS "bankName", a.account_tail AS tail, a.is_default AS "isDefault", a.disabled, a.remark, a.version
      FROM finance.cash_account AS a
      LEFT JOIN finance.balance AS b ON b.company_id = a.company_id AND b.book = 'ACCOUNT' AND b.item_id = a.id
     WHERE a.company_id = ${ctx.companyId}
     ORDER BY a.disabled, a.is_default DESC, a.currency, a.name`.execute(ctx.db);
  return rows;
}

/** @throws refused B0910 for a name that another account has */
async function requireName(ctx: Ctx, name: string, id?: string): Promise<void> {
  const taken = await ctx.db
    .selectFrom('finance.cash_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (taken && taken.id !== id) throw refused(`账户【${name}】已存在`, 'B0910');
}

function fields(
  ctx: Ctx,
  form: Pick<z.output<typeof AccountForm>, 'name' | 'method' | 'bankName' | 'tail' | 'remark'>,
) {
  return {
    name: form.name,
    method: form.method,
    bank_name: form.bankName,
    account_tail: form.tail,
    remark: form.remark,
    updated_by_name: ctx.userName,
  };
}

/** Adds an account; what is in it becomes its first entry. @throws refused B0910 name taken, or what the ledger refuses */
export async function add(ctx: Ctx, form: z.output<typeof NewAccountForm>): Promise<{ id: string }> {
  await requireName(ctx, form.name);
  const { id } = await ctx.db
    .insertInto('finance.cash_account')
    .values({ company_id: ctx.companyId, currency: form.currency, ...fields(ctx, form) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setOverdraft(ctx, id, form.overdraft);
  if (/[1-9]/.test(form.opening)) {
    await post(ctx, {
      source: { type: 'finance.opening', id, event: 'open', number: form.name },
      title: '期初余额',
      day: form.openingDay,
      lines: [
        { book: 'ACCOUNT', item: id, currency: form.currency, amount: form.opening, purpose: 'OPENING' },
        { book: 'OPENING', currency: form.currency, amount: minus(form.opening), purpose: 'OPENING' },
      ],
    });
  }
  await audit(ctx, { action: '添加账户', resource: RESOURCE, resourceId: id, after: form });
  return { id };
}

async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('账户不存在或已删除');
  return row;
}

type Change = Omit<z.output<typeof AccountForm>, 'currency'> & { id: string; version?: number | undefined };

/** Renames an account and says how far it may be overdrawn. @throws conflict for a stale version, refused B0910, B0901 */
export async function change(ctx: Ctx, form: Change): Promise<{ id: string }> {
  const before = await locked(ctx, form.id);
  if (form.version !== undefined && form.version !== before.version) throw conflict();
  await requireName(ctx, form.name, form.id);
  await ctx.db
    .updateTable('finance.cash_account')
    .set({ ...fields(ctx, form), version: before.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', form.id)
    .execute();
  await setOverdraft(ctx, form.id, form.overdraft);
  const { name, method, remark } = before;
  await audit(ctx, {
    action: '修改账户',
    resource: RESOURCE,
    resourceId: form.id,
    before: { name, method, remark },
    after: form,
  });
  return { id: form.id };
}

/** Takes an account out of use, or back into it. An account that is out of use is nobody's default. */
export async function disable(ctx: Ctx, id: string, disabled: boolean): Promise<{ id: string }> {
  const before = await locked(ctx, id);
  await ctx.db
    .updateTable('finance.cash_account')
    .set({ disabled, ...(disabled ? { is_default: false } : {}), version: before.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: disabled ? '停用账户' : '恢复账户',
    resource: RESOURCE,
    resourceId: id,
    before: { disabled: before.disabled },
    after: { disabled },
  });
  return { id };
}

/** Makes an account the one that is offered first for its currency. @throws refused B0911 for one out of use */
export async function makeDefault(ctx: Ctx, id: string): Promise<{ id: string }> {
  const { currency, disabled, name } = await locked(ctx, id);
  if (disabled) throw refused(`账户【${name}】已停用`, 'B0911');
  // Two statements: the index allows one default at a time.
  await sql`UPDATE finance.cash_account SET is_default = false
     WHERE company_id = ${ctx.companyId} AND currency = ${currency} AND is_default`.execute(ctx.db);
  await sql`UPDATE finance.cash_account SET is_default = true WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
    ctx.db,
  );
  await audit(ctx, { action: '设为默认账户', resource: RESOURCE, resourceId: id, after: { currency } });
  return { id };
}
