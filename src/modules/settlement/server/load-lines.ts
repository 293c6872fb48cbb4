import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { MAPPING_VERSION } from '../contract/fee-map.ts';
import type { Staged } from './stage.ts';

export interface LineTarget {
  /** Source document. */
  id: string;
  accountId: string;
  /** Home marketplace of the settlement. */
  home: string;
  currency: string;
  /** Stands in for a line without a date, ISO. */
  endAt: string;
  staged: Staged;
}

/** Zones of the business days; a home marketplace that is not known yet counts its days in UTC. */
function zoneRows(home: string): { marketplace_id: string; zone: string }[] {
  const rows = MARKETPLACES.map(({ id, timeZone }) => ({ marketplace_id: id, zone: timeZone }));
  return rows.some((row) => row.marketplace_id === home) ? rows : [...rows, { marketplace_id: home, zone: 'UTC' }];
}

/** The small tables that the lines are joined with: kinds with their fee codes, marketplaces by name. */
async function stageLookups(ctx: Ctx, { staged, home }: LineTarget): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.stage_kind, pg_temp.stage_market, pg_temp.stage_zone`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_kind (kind_no int PRIMARY KEY, transaction_type text, amount_type text,
      amount_description text, fee_code text, pl_section text) ON COMMIT DROP`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_market (market_no int PRIMARY KEY, marketplace_id text) ON COMMIT DROP`.execute(ctx.db);
  await sql`CREATE TEMP TABLE stage_zone (marketplace_id text PRIMARY KEY, zone text) ON COMMIT DROP`.execute(ctx.db);
  const kinds = staged.kinds.map((kind) => ({
    kind_no: kind.no,
    transaction_type: kind.transactionType,
    amount_type: kind.amountType,
    amount_description: kind.amountDescription,
    fee_code: kind.code,
    pl_section: kind.section,
  }));
  const markets = staged.markets.map((market) => ({ market_no: market.no, marketplace_id: market.marketplaceId }));
  await fill(ctx, 'stage_kind', kinds);
  await fill(ctx, 'stage_market', markets);
  await fill(ctx, 'stage_zone', zoneRows(home));
}

async function fill(ctx: Ctx, table: string, rows: object[]): Promise<void> {
  await sql`INSERT INTO ${sql.table(table)} SELECT * FROM jsonb_populate_recordset(NULL::${sql.table(table)},
    ${JSON.stringify(rows)}::jsonb)`.execute(ctx.db);
}

/**
 * What the other lines of an order say, for lines that miss the marketplace or the SKU: its marketplace from this file,
 * else from what is known of the order already, and its SKU where it has only one.
 */
async function stageOrders(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.stage_order`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_order ON COMMIT DROP AS
    WITH asked AS (
      SELECT DISTINCT s.order_id FROM pg_temp.stage_line AS s JOIN pg_temp.stage_market AS m USING (market_no)
       WHERE s.order_id IS NOT NULL AND (m.marketplace_id IS NULL OR s.sku = '')
    ), said AS (
      SELECT s.order_id, m.marketplace_id, s.sku, 1 AS rank
        FROM pg_temp.stage_line AS s JOIN pg_temp.stage_market AS m USING (market_no) JOIN asked USING (order_id)
      UNION ALL
      SELECT l.order_id, l.marketplace_id, l.sku, 2
        FROM settlement.money_line AS l JOIN asked USING (order_id)
       WHERE l.company_id = ${ctx.companyId} AND l.marketplace_from = 'FILE'
    )
    SELECT order_id,
           (array_agg(marketplace_id ORDER BY rank, marketplace_id) FILTER (WHERE marketplace_id IS NOT NULL))[1]
             AS marketplace_id,
           CASE WHEN count(DISTINCT sku) FILTER (WHERE sku <> '') = 1 THEN max(sku) FILTER (WHERE sku <> '') END AS sku
      FROM said GROUP BY order_id`.execute(ctx.db);
  await sql`ANALYZE stage_order`.execute(ctx.db);
}

/** Moves the staged lines into the ledger with one INSERT … SELECT; returns their number. */
export async function insertLines(ctx: Ctx, target: LineTarget): Promise<number> {
  await stageLookups(ctx, target);
  await stageOrders(ctx);
  const result = await sql`
    INSERT INTO settlement.money_line
      (company_id, source_doc_id, line_no, part, account_id, source, stage, marketplace_id, marketplace_from,
       transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, ref_kind,
       ref_value, order_item_code, adjustment_id, shipment_id, fulfillment_id, sku, sku_from, quantity, promotion_id,
       amount, currency, posted_at, posted_date)
    SELECT ${ctx.companyId}::uuid, ${target.id}::uuid, s.line_no, s.part, ${target.accountId}::uuid, 'SETTLEMENT',
           'SETTLED', z.marketplace_id,
           CASE WHEN m.marketplace_id IS NOT NULL THEN 'FILE' WHEN o.marketplace_id IS NOT NULL THEN 'ORDER'
                ELSE 'HOME' END,
           k.transaction_type, k.amount_type, k.amount_description, k.fee_code, k.pl_section,
           ${MAPPING_VERSION}::smallint, s.order_id, s.ref_kind, s.ref_value, s.order_item_code, s.adjustment_id,
           s.shipment_id, s.fulfillment_id,
           CASE WHEN s.sku = '' THEN coalesce(o.sku, '') ELSE s.sku END,
           CASE WHEN s.sku = '' AND o.sku IS NOT NULL THEN 'ORDER' ELSE 'FILE' END,
           s.quantity, s.promotion_id, s.amount, ${target.currency},
           coalesce(s.posted_at, ${target.endAt}::timestamptz),
           (coalesce(s.posted_at, ${target.endAt}::timestamptz) AT TIME ZONE z.zone)::date
      FROM pg_temp.stage_line AS s
      JOIN pg_temp.stage_kind AS k USING (kind_no)
      JOIN pg_temp.stage_market AS m USING (market_no)
      LEFT JOIN pg_temp.stage_order AS o
        ON o.order_id = s.order_id AND (m.marketplace_id IS NULL OR s.sku = '')
      JOIN pg_temp.stage_zone AS z
        ON z.marketplace_id = coalesce(m.marketplace_id, o.marketplace_id, ${target.home})`.execute(ctx.db);
  return Number(result.numAffectedRows ?? 0);
}

/** Sums the stored lines of a document by kind of amount; returns the amounts, for the proof. */
export async function insertFeeTotals(ctx: Ctx, id: string): Promise<{ amount: string }[]> {
  const { rows } = await sql<{ amount: string }>`
    INSERT INTO settlement.fee_total
      (company_id, source_doc_id, marketplace_id, transaction_type, amount_type, amount_description, fee_code,
       pl_section, shop, amount, quantity, line_count)
    SELECT company_id, source_doc_id, marketplace_id, transaction_type, amount_type, amount_description, fee_code,
           pl_section, sku = '', sum(amount), coalesce(sum(quantity), 0), count(*)
      FROM settlement.money_line
     WHERE company_id = ${ctx.companyId} AND source_doc_id = ${id}::uuid
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    RETURNING amount`.execute(ctx.db);
  return rows;
}
