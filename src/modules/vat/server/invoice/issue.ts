import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Profile } from '../settings/profile.ts';
import { takeNumber } from './number.ts';
import { invoiceSheet } from './pdf.ts';
import type { Planned } from './plan.ts';
import { type Invoice, RESOURCE } from './row.ts';
import { storePdf } from './store.ts';

/** A document that may be issued now. */
export interface Ready {
  row: Invoice;
  profile: Profile;
  planned: Planned;
  original: Invoice | null;
}

interface Numbered {
  number: string;
  country: string;
  year: number;
  no: number;
  issuedOn: string;
}

/** A rejected document is corrected under the number that it has; every other one takes the next of its series. */
async function numberOf(ctx: Ctx, { row, profile, planned }: Ready): Promise<Numbered> {
  const { number, series_country: country, series_year: year, series_no: no, issued_on: issuedOn } = row;
  if (number !== null && country !== null && year !== null && no !== null && issuedOn !== null) {
    return { number, country, year, no, issuedOn };
  }
  const today = ctx.clock.today();
  const series = {
    entityId: profile.entityId,
    country: planned.country,
    type: row.type,
    year: Number(today.slice(0, 4)),
  };
  const pattern = row.type === 'INVOICE' ? profile.invoicePattern : profile.creditPattern;
  return { ...series, ...(await takeNumber(ctx, series, pattern)), issuedOn: today };
}

function paperOf({ row, profile, planned, original }: Ready, numbered: Numbered): Buffer {
  const citations = row.citations as unknown as Record<string, string>;
  return invoiceSheet({
    type: row.type as 'INVOICE' | 'CREDIT_NOTE',
    number: numbered.number,
    original: original?.number ?? null,
    language: planned.language,
    orderId: row.order_id,
    issuedOn: numbered.issuedOn,
    suppliedOn: row.tax_day,
    currency: row.currency,
    seller: { name: profile.name, address: profile.address, vatNumber: planned.sellerVat, logo: profile.logo },
    buyer: planned.buyer,
    treatment: planned.treatment,
    taxCountry: planned.taxCountry,
    citation: citations[planned.language] ?? '',
    lines: planned.lines,
    totals: planned.totals,
  });
}

async function writeLines(ctx: Ctx, { row, planned }: Ready): Promise<void> {
  const lines = planned.lines.map(({ line_no, rate, net, tax, gross }) => ({ line_no, rate, net, tax, gross }));
  await sql`
    UPDATE vat.invoice_line AS l SET rate = r.rate, net = r.net, tax = r.tax, gross = r.gross
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        AS r(line_no int, rate numeric, net numeric, tax numeric, gross numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.invoice_id = ${row.id} AND l.line_no = r.line_no`.execute(ctx.db);
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'invoice_number';

/**
 * Issues a document in the caller's transaction: number, lines, sums and the stored PDF come into being together or not at all.
 * @throws refused B1460 where another document of the entity has the number that the pattern makes
 */
export async function issue(ctx: Ctx, ready: Ready): Promise<string> {
  const { row, profile, planned, original } = ready;
  const numbered = await numberOf(ctx, ready);
  const { fileId, sha256 } = await storePdf(ctx, `${row.type}-${row.id}.pdf`, paperOf(ready, numbered));
  await writeLines(ctx, ready);
  const change = {
    state: 'generated',
    version: row.version + 1,
    entity_id: profile.entityId,
    original_id: original?.id ?? null,
    series_country: numbered.country,
    series_year: numbered.year,
    series_no: numbered.no,
    number: numbered.number,
    issued_on: numbered.issuedOn,
    language: planned.language,
    treatment: planned.treatment,
    tax_country: planned.taxCountry,
    seller_vat: planned.sellerVat,
    ...planned.totals,
    problem: '',
    file_id: fileId,
    pdf_sha256: sha256,
    generated_at: sql<string>`kit.now()`,
    updated_at: sql<string>`kit.now()`,
  };
  try {
    await ctx.db
      .updateTable('vat.invoice')
      .set(change)
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', row.id)
      .execute();
  } catch (error) {
    if (isTaken(error)) throw refused(`发票号已被占用：${numbered.number}`, 'B1460');
    throw error;
  }
  await audit(ctx, {
    action: row.type === 'INVOICE' ? '生成VAT发票' : '生成红字VAT发票',
    resource: RESOURCE,
    resourceId: row.id,
    before: { state: row.state },
    after: { state: 'generated', number: numbered.number, ...planned.totals, currency: row.currency, sha256 },
  });
  return numbered.number;
}
