import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refusalOf } from './refusal.ts';
import type { Posted, Posting } from './types.ts';

/** Calls one of the ledger's functions with an event, in one round trip. @throws refused with the ledger's own words */
async function callLedger(ctx: Ctx, name: 'post' | 'reverse', event: object): Promise<Posted> {
  try {
    const { rows } = await ctx.client.query<{ answer: Posted }>({
      name: `finance.${name}`,
      text: `SELECT finance.${name}($1) AS answer`,
      values: [JSON.stringify(event)],
    });
    const answer = rows[0]?.answer;
    if (!answer) throw new Error(`finance.${name} gave no answer`);
    return answer;
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Posts one event of a document: the only way in which money moves. All lines happen or none, in the caller's
 * transaction; a second call with the same source changes nothing and answers with the first posting.
 * @throws refused B0901 account short, B0902 more than is open, B0903 account or item that cannot take it, B0904 day or
 * closed month, B0905 amount that is none, B0906 the same event with other amounts
 */
export function post(ctx: Ctx, { source, title, lines, items = [], day, note }: Posting): Promise<Posted> {
  return callLedger(ctx, 'post', {
    type: source.type,
    id: source.id,
    event: source.event,
    seq: source.seq ?? 0,
    number: source.number,
    title,
    date: day ?? null,
    operatorId: ctx.userId,
    operator: ctx.userName,
    note: note ?? '',
    items: items.map(({ party, subject, ...item }) => ({
      ...item,
      partyKind: party.kind,
      partyId: party.id,
      subjectType: subject?.type,
      subjectId: subject?.id,
      subjectNumber: subject?.number,
    })),
    lines: lines.map((line, index) => ({
      n: index + 1,
      b: line.book,
      i: line.item,
      c: line.currency,
      a: line.amount,
      v: line.base,
      p: line.purpose,
      k: line.category,
      m: line.memo,
    })),
  });
}

/**
 * Takes a posting back by the opposite entries, dated today. A second call answers with the first reversal.
 * @throws refused B0901 or B0902 where what it brought has been used, B0904 where this month is closed
 */
export function reverse(ctx: Ctx, postingId: string, note?: string): Promise<Posted> {
  return callLedger(ctx, 'reverse', {
    posting: postingId,
    operatorId: ctx.userId,
    operator: ctx.userName,
    note: note ?? '',
  });
}

/** Sets how far an account may be overdrawn. @throws refused B0901 below what is overdrawn now */
export async function setOverdraft(ctx: Ctx, account: string, amount: string): Promise<void> {
  try {
    await sql`SELECT finance.set_overdraft(${account}::uuid, ${amount}::numeric)`.execute(ctx.db);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Writes the balances anew from the entries. Answers how many were wrong, which is 0 unless somebody tampered. */
export async function rebuildBalances(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT finance.rebuild_balances() AS n`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}
