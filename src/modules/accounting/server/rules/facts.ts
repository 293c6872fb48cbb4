import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { LedgerFact } from '#kit/server/ledger-source.ts';
import { pathOf } from '#modules/message/server/index.ts';
import type { VoucherFact } from '../../contract/voucher-calls.ts';
import { type Booking, type Group, worthOfFact } from './lines.ts';

/** Events that the page of a voucher shows. */
const SHOWN = 200;

const pageOf = (ctx: Ctx, { path, document }: LedgerFact): string =>
  path ?? (document ? pathOf(ctx.runtime, document) : '');

/** Keeps what a voucher was made from, in place of what it said before. */
export async function keepFacts(ctx: Ctx, voucherId: string, booking: Booking, { facts }: Group): Promise<void> {
  await sql`DELETE FROM accounting.voucher_fact WHERE company_id = ${ctx.companyId} AND voucher_id = ${voucherId}`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO accounting.voucher_fact (company_id, voucher_id, fact_no, ref, number, path, amount)
    SELECT ${ctx.companyId}, ${voucherId}::uuid, f.n, f.ref, f.number, f.path, f.amount
      FROM unnest(${facts.map(({ ref }) => ref)}::text[], ${facts.map(({ number }) => number)}::text[],
                  ${facts.map((fact) => pageOf(ctx, fact))}::text[], ${facts.map((fact) => worthOfFact(booking, fact))}::numeric[])
           WITH ORDINALITY AS f (ref, number, path, amount, n)`.execute(ctx.db);
}

/** The events that a voucher was made from, 200 at most. */
export async function factsOf(ctx: Ctx, voucherId: string): Promise<VoucherFact[]> {
  const { rows } = await sql<VoucherFact>`
    SELECT number, path, amount::text AS amount FROM accounting.voucher_fact
     WHERE company_id = ${ctx.companyId} AND voucher_id = ${voucherId} ORDER BY fact_no LIMIT ${SHOWN}`.execute(ctx.db);
  return rows;
}
