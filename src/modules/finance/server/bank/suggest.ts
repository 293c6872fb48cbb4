import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Candidate, PayableRequest } from '../../contract/bank.ts';
import { type BankLine, bankLines } from './lines.ts';
import { NEAR_DAYS } from './match.ts';

/** Days around the lines in which entries are offered, and how many of them. */
const WINDOW = 45;
const MOST = 100;

interface DbEntry extends Omit<Candidate, 'why' | 'best'> {
  /** Days between the entry and the nearest line. */
  apart: number;
  matchId: string | null;
}

/** Entries of the account around some lines: those that are free, and those that the lines are matched with. */
async function entriesNear(ctx: Ctx, lines: readonly BankLine[]): Promise<DbEntry[]> {
  const days = lines.map((line) => line.day);
  const [first = ''] = lines.map((line) => line.account);
  const matches = lines.flatMap((line) => line.matchId ?? []);
  const { rows } = await sql<DbEntry>`
    SELECT e.seq::text AS id, e.business_date AS day, e.amount::text AS amount, p.title, p.source_number AS number, e.currency,
           coalesce(s.short_name, n.name, '') AS party, m.match_id AS "matchId",
           (SELECT min(abs(e.business_date - d.day)) FROM unnest(${days}::date[]) AS d(day)) AS apart
      FROM finance.entry AS e
      JOIN finance.posting AS p ON p.company_id = e.company_id AND p.id = e.posting_id
      LEFT JOIN finance.bank_match_entry AS m ON m.company_id = e.company_id AND m.entry_seq = e.seq
      LEFT JOIN finance.payment AS y ON y.company_id = e.company_id AND y.posting_id = e.posting_id
      LEFT JOIN finance.payment_request AS r ON r.company_id = y.company_id AND r.id = y.request_id
      LEFT JOIN supplier.supplier AS s ON s.company_id = r.company_id AND s.id = r.party_id AND r.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = r.company_id AND n.id = r.party_id AND r.party_kind = 'PARTNER'
     WHERE e.company_id = ${ctx.companyId} AND e.book = 'ACCOUNT' AND e.item_id = ${first}
       AND (m.match_id = ANY (${matches}::uuid[]) OR (m.match_id IS NULL
         AND e.business_date BETWEEN (SELECT min(d) FROM unnest(${days}::date[]) AS d) - ${WINDOW}::int
                                 AND (SELECT max(d) FROM unnest(${days}::date[]) AS d) + ${WINDOW}::int))
     ORDER BY apart, e.seq DESC LIMIT 1000`.execute(ctx.db);
  return rows;
}

/**
 * Whether two names mean the same payee: one holds the other, as a short name is part of the company's. What kind of place
 * it is from (市, 县 and the like) is left out of short names as often as not.
 */
export function sameName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/[\s（）()·.,，。省市县区]/g, '').toLowerCase());
  return Boolean(a && b && a.length >= 2 && b.length >= 2 && (a.includes(b) || b.includes(a)));
}

/** What speaks for an entry, and how much. */
function reasonsFor({ amount, apart, party }: DbEntry, total: string, lines: readonly BankLine[]) {
  const found = [
    ...(new Decimal(amount).eq(total) ? ['金额一致'] : []),
    ...(apart <= NEAR_DAYS ? [apart === 0 ? '同日' : `相差${apart}天`] : []),
    ...(lines.some((line) => sameName(line.counterparty, party)) ? ['对方一致'] : []),
  ];
  const exact = found[0] === '金额一致';
  return {
    why: found.join('、'),
    score: (exact ? 4 : 0) + (apart <= NEAR_DAYS ? 2 : 0) + (found.includes('对方一致') ? 1 : 0),
  };
}

/** Approved requests that money of these lines may have paid: the same amount or the same payee. */
async function requestsFor(ctx: Ctx, lines: readonly BankLine[], total: string): Promise<PayableRequest[]> {
  const [line, another] = lines;
  if (!line || another || line.matchId !== null || line.ignored || !total.startsWith('-')) return [];
  const { rows } = await sql<Omit<PayableRequest, 'why'>>`
    SELECT r.id, r.version, r.number, r.currency, (r.amount - r.paid_amount)::text AS open,
           coalesce(s.short_name, n.name, '') AS payee
      FROM finance.payment_request AS r
      LEFT JOIN supplier.supplier AS s ON s.company_id = r.company_id AND s.id = r.party_id AND r.party_kind = 'SUPPLIER'
      LEFT JOIN finance.partner AS n ON n.company_id = r.company_id AND n.id = r.party_id AND r.party_kind = 'PARTNER'
     WHERE r.company_id = ${ctx.companyId} AND r.state IN ('approved', 'partly')
     ORDER BY r.id DESC LIMIT 1000`.execute(ctx.db);
  return rows
    .map((row) => {
      const exact = row.currency === line.currency && new Decimal(row.open).eq(new Decimal(total).neg());
      const named = sameName(line.counterparty, row.payee);
      return { ...row, why: [...(exact ? ['金额一致'] : []), ...(named ? ['收款方一致'] : [])].join('、') };
    })
    .filter((row) => row.why !== '')
    .sort((one, other) => other.why.length - one.why.length)
    .slice(0, 20);
}

/** What lines of one account may be, the likeliest first. @throws notFound, refused B0960 */
export async function suggest(ctx: Ctx, ids: readonly string[]) {
  const lines = await bankLines(ctx, ids);
  const amount = sum(lines.map((line) => line.amount));
  const rated = (await entriesNear(ctx, lines)).map(({ apart, matchId, ...entry }) => {
    const { why, score } = reasonsFor({ apart, matchId, ...entry }, amount, lines);
    return { entry: { ...entry, why, best: score >= 6 }, score, matchId };
  });
  const candidates = rated
    .filter((one) => one.matchId === null)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST);
  return {
    amount,
    currency: lines[0].currency,
    candidates: candidates.map((one) => one.entry),
    requests: await requestsFor(ctx, lines, amount),
    matched: rated.filter((one) => one.matchId !== null).map((one) => one.entry),
  };
}
