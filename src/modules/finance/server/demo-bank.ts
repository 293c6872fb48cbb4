import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { SheetCell } from '#kit/server/excel/read.ts';
import { accounts } from './accounts/accounts.ts';
import { matchAlike } from './bank/match.ts';
import { TITLES, takeStatement } from './bank/upload.ts';

/** One movement as the bank has it. */
interface Movement {
  /** yyyy-MM-dd */
  day: string;
  /** With its sign: + came in. */
  amount: string;
  counterparty: string;
  summary: string;
}

/** What the books have of an account, the oldest first: its opening, then every entry. */
async function journal(ctx: Ctx, account: string): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    SELECT e.business_date AS day, e.amount::text AS amount, p.title AS summary,
           coalesce(s.full_name, n.name, '') AS counterparty
      FROM finance.entry AS e
      JOIN finance.posting AS p ON p.company_id = e.company_id AND p.id = e.posting_id
      LEFT JOIN finance.payment AS y ON y.company_id = e.company_id AND y.posting_id = e.posting_id
      LEFT JOIN finance.payment_request AS r ON r.company_id = y.company_id AND r.id = y.request_id
      LEFT JOIN supplier.supplier AS s ON s.company_id = r.company_id AND s.id = r.party_id AND r.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = r.company_id AND n.id = r.party_id AND r.party_kind = 'PARTNER'
     WHERE e.company_id = ${ctx.companyId} AND e.book = 'ACCOUNT' AND e.item_id = ${account}
     ORDER BY e.business_date, e.seq`.execute(ctx.db);
  return rows;
}

/** What the bank did and nobody wrote down yet: its fees and interest, and the payment of a request that is approved. */
async function unbooked(ctx: Ctx): Promise<Movement[]> {
  const { rows } = await sql<{ amount: string; counterparty: string }>`
    SELECT (r.amount - r.paid_amount)::text AS amount, coalesce(s.full_name, n.name, '') AS counterparty
      FROM finance.payment_request AS r
      LEFT JOIN supplier.supplier AS s ON s.company_id = r.company_id AND s.id = r.party_id AND r.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = r.company_id AND n.id = r.party_id AND r.party_kind = 'PARTNER'
     WHERE r.company_id = ${ctx.companyId} AND r.state = 'approved' AND r.currency = 'CNY' ORDER BY r.id LIMIT 1`.execute(
    ctx.db,
  );
  const { clock } = ctx;
  return [
    { day: clock.dayAhead(-21), amount: '-18.00', counterparty: '', summary: '账户管理费及短信费' },
    { day: clock.dayAhead(-5), amount: '96.31', counterparty: '', summary: '存款结息' },
    ...rows.map(({ amount, counterparty }) => ({
      day: clock.today(),
      amount: new Decimal(amount).neg().toFixed(),
      counterparty,
      summary: '货款',
    })),
  ];
}

/** Movements as a bank exports them, with the balance after each; `opening` is what was there before. */
function statement(opening: string, movements: readonly Movement[]): SheetCell[][] {
  let balance = new Decimal(opening);
  const rows = movements.map(({ day, amount, counterparty, summary }, index) => {
    balance = balance.plus(amount);
    const size = new Decimal(amount).abs().toFixed(2);
    const [income, outgo] = amount.startsWith('-') ? ['', size] : [size, ''];
    const serial = `S${day.replaceAll('-', '')}${String(index + 1).padStart(5, '0')}`;
    return [day, income, outgo, counterparty, '', summary, serial, balance.toFixed(2)];
  });
  return [[...TITLES], ...rows].map((row) => row.map((text) => ({ text, numeric: false })));
}

/**
 * Two months of the bank's own statement for the main account of the demo company, matched with its books as far as both
 * agree: the bank's fee, its interest and a payment are not in the books yet, and the newest entry has not reached the
 * bank. The caller may do everything.
 */
export async function demoBank(ctx: Ctx): Promise<void> {
  const bank = (await accounts(ctx)).find((one) => one.currency === 'CNY' && one.isDefault);
  if (!bank) return;
  const [opening, ...booked] = await journal(ctx, bank.id);
  if (!opening || booked.length < 2) return;
  const movements = [...booked.slice(0, -1), ...(await unbooked(ctx))].sort((a, b) => (a.day < b.day ? -1 : 1));
  const asked = { cashAccountId: bank.id, write: 'yes' } as const;
  const taken = await takeStatement(ctx, asked, '招商银行流水.xlsx', statement(opening.amount, movements));
  if (!taken.written) throw new Error(`the demo's statement was refused: ${JSON.stringify(taken.problems)}`);
  await matchAlike(ctx, bank.id);
}
