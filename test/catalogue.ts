// The tables of the product as PostgreSQL knows them, and rows of one company in all of them.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

export interface Table {
  /** Qualified, e.g. "kit.audit". */
  name: string;
  oid: number;
  owner: string;
  rls: boolean;
  forced: boolean;
  /** Kind of relation: r ordinary, p partitioned. */
  kind: string;
  isPartition: boolean;
  columns: Column[];
  /** Columns of the primary key in order. */
  key: string[];
}

export interface Column {
  name: string;
  type: string;
  notNull: boolean;
  hasDefault: boolean;
  generated: boolean;
}

export interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}

/** A qualified name as SQL takes it; some schemas are called like a word of the language. */
export function quoted(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}

const OURS = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'graphile_worker', 'public')
              AND n.nspname NOT LIKE 'pg_temp%' AND n.nspname NOT LIKE 'pg_toast%'`;

/** Every table of the kit and the modules. */
export async function tablesOf(admin: pg.Pool): Promise<Table[]> {
  const { rows } = await admin.query<Table>(`
    SELECT n.nspname || '.' || c.relname AS name, c.oid::int AS oid, pg_get_userbyid(c.relowner) AS owner,
           c.relrowsecurity AS rls, c.relforcerowsecurity AS forced, c.relkind AS kind, c.relispartition AS "isPartition",
           (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                     'notNull', a.attnotnull, 'hasDefault', a.atthasdef, 'generated', a.attgenerated <> '') ORDER BY a.attnum)
              FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
           coalesce((SELECT json_agg(a.attname ORDER BY k.n)
              FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(attnum, n)
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
             WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS key
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND ${OURS} ORDER BY 1`);
  return rows;
}

export async function foreignKeysOf(admin: pg.Pool): Promise<ForeignKey[]> {
  const names = (key: string, rel: string) =>
    `(SELECT json_agg(a.attname ORDER BY k.n) FROM unnest(c.${key}) WITH ORDINALITY AS k(attnum, n)
       JOIN pg_attribute a ON a.attrelid = c.${rel} AND a.attnum = k.attnum)`;
  const { rows } = await admin.query<ForeignKey>(`
    SELECT c.conname AS name, n.nspname || '.' || t.relname AS "table", ${names('conkey', 'conrelid')} AS columns,
           fn.nspname || '.' || ft.relname AS target, ${names('confkey', 'confrelid')} AS "targetColumns"
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
      JOIN pg_class ft ON ft.oid = c.confrelid JOIN pg_namespace fn ON fn.oid = ft.relnamespace
     WHERE c.contype = 'f' AND c.conparentid = 0 AND ${OURS} ORDER BY 1`);
  return rows;
}

/** Conditions on single columns: the first value that each allows, by "table.column". */
async function allowedValues(admin: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await admin.query<{ table: string; column: string; text: string }>(`
    SELECT n.nspname || '.' || t.relname AS "table", a.attname AS column, pg_get_constraintdef(c.oid) AS text
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'c' AND cardinality(c.conkey) = 1 AND ${OURS}`);
  return new Map(
    rows.flatMap(({ table, column, text }) => {
      const first = /= (?:ANY \()?\(?ARRAY\['([^']*)'/.exec(text)?.[1] ?? /= '([^']*)'/.exec(text)?.[1];
      return first === undefined ? [] : [[`${table}.${column}`, first] as const];
    }),
  );
}

function plainValue(type: string, marker: string): unknown {
  if (type === 'uuid') return randomUUID();
  if (type === 'text') return `${marker}${randomUUID().slice(0, 8)}`;
  if (/^character\((\d+)\)/.test(type)) return 'USD'.slice(0, Number(/\((\d+)\)/.exec(type)?.[1]));
  if (/^character varying/.test(type)) return marker;
  if (/^timestamp/.test(type)) return '2026-03-01T00:00:00Z';
  if (type === 'date') return '2026-03-01';
  if (type === 'boolean') return false;
  if (type === 'jsonb' || type === 'json') return JSON.stringify({ text: marker });
  if (type.endsWith('[]')) return '{}';
  if (type === 'bytea') return Buffer.from(marker);
  if (/^(tstz|date|int4|int8|num)range/.test(type)) return 'empty';
  if (type === 'interval') return '1 day';
  return 1;
}

/** Referred-to tables first; a table that refers to itself does not wait for itself. */
function inOrder(tables: readonly Table[], keys: readonly ForeignKey[]): Table[] {
  const done: Table[] = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const next = waiting.findIndex((table) =>
      keys.every(
        (key) => key.table !== table.name || key.target === table.name || !waiting.some((w) => w.name === key.target),
      ),
    );
    const [table] = waiting.splice(Math.max(0, next), 1);
    if (table) done.push(table);
  }
  return done;
}

/** What a module's rules ask of a row beyond the types of its columns. */
const EXAMPLES: Record<string, Record<string, unknown>> = {
  'orderwatch.dirty': { source_doc_id: randomUUID() },
  'returns.refund_case': { refund: '1', channel: 'FBA' },
  'returns.refund_dirty': { source_doc_id: null, from_day: null, to_day: null, order_id: '1' },
  'profit.order_dirty': { source_doc_id: randomUUID() },
  'performance.target': { month: '2026-01-01' },
  'performance.rule': { from_month: '2026-01-01', steps: '[]' },
  'profit.period': { state: 'OPEN', month: '2026-01-01' },
  'profit.period_rate': { rate: '1' },
  'profit.profit_daily': { scope: 'DIRECT' },
  'profit.profit_monthly': { scope: 'DIRECT' },
  'profit.month_stale': { month: '2026-01-01' },
  'ratecard.plan': { freight_by: 'MANUAL', sites: '[]' },
  'alert.alert': { closed_at: null },
  'alert.rule': { scope_id: null },
  'aplus.document': { content: null, draft: null, wish: null },
  'dashboard.layout': { cards: '[]' },
  'dashboard.template': { cards: '[]' },
  'analysis.pace_weight': { weight30: '0.2', weight15: '0.3', weight7: '0.5' },
  'channel.platform_line': { currency: 'USD' },
  'channel.platform_order': { country: 'US' },
  'inventory.rate_card': { country: 'US', currency: 'USD', bands: '[]' },
  'kit.company_zone': { zone: 'America/Los_Angeles' },
  'marketplace.ship_from_address': { country_code: 'CN' },
  'marketplace.seller_marketplace': { marketplace_id: 'ATVPDKIKX0DER' },
  // An open one holds a secret that only the product can have sealed.
  'identity.mfa': { confirmed_at: '2026-03-01T00:00:00Z' },
  'listing.offer_change': { write_id: null },
  'order.amazon_order': { postal_prefix: '981' },
  'order.shipment': { items: '[]' },
  'shipping.inbound': { plan_id: null, wish: null },
  'shipping.inbound_shipment': { shipment_id: `sh${'0'.repeat(36)}`, label_file_id: null, thermal_file_id: null },
  'product.category': { hs_code: null },
  'product.customs': { country: 'US', hs_code: null, declared_currency: null },
  'product.declared_approval': { currency: 'GBP' },
  'product.offer': { currency: 'CNY' },
  'product.price_list': { currency: 'CNY' },
  'alibaba.offer_link': { offer_id: '610947572360' },
  // Its other side is the company itself.
  'forecast.promotion': { kind: 'deal', from_day: '2026-04-01', to_day: '2026-04-02', expected: '2' },
  'forecast.override': { mode: 'ABS', from_day: '2026-04-01', to_day: '2026-04-02' },
  'expense.document': { number: 'FY-1', currency: 'CNY', months: 12, amount: '10', request_id: null },
  'expense.recurring': { day: 1, currency: 'CNY', amount: '10', content: '{}' },
  'expense.line': { amount: '10', tax: '1' },
  'costshare.share_rule': { name: '按店铺' },
  'costshare.share_rule_row': { share: '1' },
  'costshare.document': { state: 'draft', currency: 'CNY', source_id: null, kind: 'SHARE' },
  'returns.receipt': { kind: 'FBM', good: 1, repair: 0, scrap: 0 },
  'returns.settled': { kind: 'FBM' },
  'returns.removal': { number: 'RM-1', type: 'Disposal', state: 'accepted', address: null, sellable: 1 },
  'returns.removal_line': { sellable: 1 },
  'returns.attribution': { channel: 'FBA', party: 'buyer' },
  'fulfillment.mcf_order': {
    number: 'MCF-1',
    order_no: '1',
    country: 'US',
    postal_prefix: '981',
    address: null,
    state: 'DRAFT',
  },
  'accounting.book': { standard: 'SMALL', base: 'CNY', start_month: '2026-01-01' },
  'accounting.subject': { code: '1001', parent_id: null },
  'accounting.period': { month: '2026-01-01' },
  'accounting.voucher': { month: '2026-01-01', day: '2026-01-31', number: '记-202601-0001', reversal_of: null },
  'accounting.rule': {
    source: 'settlement',
    version: 1,
    from_month: '2026-01-01',
    active: true,
    grouping: 'DAY',
    subjects: '{}',
  },
  'accounting.entry': { debit: '10', credit: '0', currency: 'CNY', original: null },
  'finance.bloc_request': { currency: 'CNY', taker_id: null },
  'finance.cash_account': { currency: 'CNY' },
  'finance.day_rate': { currency: 'EUR' },
  'finance.entry': { book: 'INCOME', item_id: null, balance_after: null },
  'finance.month_rate': { currency: 'EUR' },
  'finance.open_item': { currency: 'CNY' },
  'finance.payment_request': { currency: 'CNY' },
  'finance.platform_bill_order': { order_id: '2987654321012345678' },
  'finance.platform_bill_refund': { order_id: '2987654321012345678' },
  'finance.supplier_settlement': { currency: 'CNY' },
  'inventory.claim': { lost: 3 },
  'inventory.claim_policy': { opens_after: 0 },
  'purchase.landed_charge': { expensed: 0 },
  'purchase.plan_line': { order_id: null, process_id: null, requisition_id: null },
  'purchase.process_order': { kind: 'OUTSOURCE' },
  'purchase.purchase_order': { currency: 'CNY' },
  'purchase.receipt_line': { inspecting: 1 },
  'purchase.requisition_line': { order_id: null, process_id: null },
  'shipping.channel': { country: 'US' },
  'shipping.freight_bill': { currency: 'CNY', rate: null, amount_cny: null },
  'shipping.freight_charge': { currency: 'CNY', rate: null, amount_cny: null },
  'shipping.freight_share': { move: 0, amount: 2, to_layers: 1, variance: 1 },
  'shipping.claim_payment': { currency: 'USD' },
  'shipping.price_version': { currency: 'CNY' },
  'shipping.plan_item': { batch: null, order_id: null, submitted_at: null },
  'shipping.quota': { month: '2026-03-01', stock: 'US' },
  'shipping.quota_request': { currency: 'USD', granted: null, decided_at: null },
  'shipping.quote_request': { country: 'US', divisor: 6000, account_ids: ['00000000-0000-4000-8000-000000000001'] },
  'shipping.self_label': { currency: 'USD', arrives_at: null },
  'shipping.quote_answer': { currency: 'CNY', freight: 1, tax: 1, other_fee: 1, total: 3 },
  'supplier.grade_change': { quarter: null, to_grade: 'B' },
  'supplier.grading': { first_quarter: '2026Q1', closed_quarter: '2025Q4' },
  'supplier.quarter_score': { quarter: '2026Q1' },
  'system.favourite': { path: '/home' },
  'vat.invoice': { number: null, file_id: null, original_id: null, currency: 'EUR' },
  'vat.invoice_line': { net: 1, tax: 1, gross: 2 },
  'vat.rate': { rate: 19 },
  'warehouse.health_run': { results: '[]' },
  'worth.line': { warehouse_id: null, to_day: '2026-04-01' },
};

interface RowPlan {
  companyId: string;
  marker: string;
  keys: readonly ForeignKey[];
  allowed: ReadonlyMap<string, string>;
  all: boolean;
}

async function rowFor(admin: pg.Pool, table: Table, plan: RowPlan): Promise<Record<string, unknown>> {
  const { companyId, marker, allowed, all } = plan;
  const values: Record<string, unknown> = { company_id: companyId };
  for (const column of table.columns) {
    if (column.generated || column.hasDefault || column.name === 'company_id') continue;
    const choice = allowed.get(`${table.name}.${column.name}`);
    if (column.notNull || all) values[column.name] = choice ?? plainValue(column.type, marker);
    else if (column.type === 'text' && choice === undefined) values[column.name] = marker;
  }
  for (const key of plan.keys.filter((entry) => entry.table === table.name)) {
    const { rows } = await admin.query(`SELECT * FROM ${quoted(key.target)} WHERE company_id = $1 LIMIT 1`, [
      companyId,
    ]);
    key.columns.forEach((column, index) => {
      if (column === 'company_id') return;
      values[column] = (rows[0] as Record<string, unknown> | undefined)?.[key.targetColumns[index] ?? ''] ?? null;
    });
  }
  return values;
}

async function insert(admin: pg.Pool, table: string, values: Record<string, unknown>) {
  const names = Object.keys(values);
  const { rows } = await admin.query<Record<string, unknown>>(
    `INSERT INTO ${quoted(table)} (${names.map((name) => `"${name}"`).join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) ON CONFLICT DO NOTHING RETURNING *`,
    Object.values(values),
  );
  return rows[0];
}

function idsOf(table: Table, row: Record<string, unknown> | undefined): string[] {
  return table.key.flatMap((column) => {
    const type = table.columns.find((entry) => entry.name === column)?.type;
    const value = row?.[column];
    return type === 'uuid' && column !== 'company_id' && typeof value === 'string' ? [value] : [];
  });
}

export interface Filled {
  /** Every uuid that identifies one of the rows, by table. */
  ids: Map<string, string[]>;
  /** Tables in which no row could be made, and why. */
  failed: Map<string, string>;
}

/**
 * Writes one row of a company into every tenant table, as the owner of the tables: texts carry the marker, references
 * point at the rows written before.
 */
export async function fillTables(admin: pg.Pool, companyId: string, marker: string): Promise<Filled> {
  const keys = await foreignKeysOf(admin);
  const allowed = await allowedValues(admin);
  const tables = (await tablesOf(admin)).filter(
    (table) => !table.isPartition && table.columns.some((column) => column.name === 'company_id'),
  );
  const ids = new Map<string, string[]>();
  const failed = new Map<string, string>();
  for (const table of inOrder(tables, keys)) {
    // Some tables want more than the columns that may not be null: try again with every column filled.
    for (const all of [false, true]) {
      const row = await rowFor(admin, table, { companyId, marker, keys, allowed, all });
      try {
        ids.set(table.name, idsOf(table, await insert(admin, table.name, { ...row, ...EXAMPLES[table.name] })));
        failed.delete(table.name);
        break;
      } catch (error) {
        failed.set(table.name, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return { ids, failed };
}

/** Fingerprint of all rows of a company, table by table. */
export async function fingerprint(admin: pg.Pool, companyId: string): Promise<Record<string, string>> {
  const tables = (await tablesOf(admin)).filter(
    (table) => !table.isPartition && table.columns.some((column) => column.name === 'company_id'),
  );
  const prints: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await admin.query<{ print: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS print
         FROM ${quoted(table.name)} t WHERE company_id = $1`,
      [companyId],
    );
    prints[table.name] = rows[0]?.print ?? '';
  }
  return prints;
}
