import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyText, copyField as field } from '#kit/server/db/copy.ts';
import { marketplaceOfChannel } from '#modules/marketplace/contract/marketplaces.ts';
import { type Classified, classify } from '../contract/fee-map.ts';

import type { SettlementLine } from './readers.ts';

/** A combination of the three names of an amount; a file has a few dozen of them. */
export interface Kind extends Classified {
  no: number;
  transactionType: string;
  amountType: string;
  amountDescription: string;
}

/** What a file's lines are made of, found while they were copied. */
export interface Staged {
  kinds: Kind[];
  /** Lines by marketplace name as the file spells it; '' where a line names none. */
  markets: { no: number; name: string; marketplaceId: string | null; lines: number }[];
}

const ORDER = /^\d{3}-\d{7}-\d{7}$/;
const MCF = /^S\d\d-\d{7}-\d{7}$/;
const SHIPMENT = /^FBA\w+$/;

/** What the column order-id means in a line: an Amazon order, a multi-channel order, a shipment, or something else. */
export function refKind(reference: string): 'ORDER' | 'MCF' | 'SHIPMENT' | 'OTHER' | null {
  if (reference === '') return null;
  if (ORDER.test(reference)) return 'ORDER';
  if (MCF.test(reference)) return 'MCF';
  return SHIPMENT.test(reference) ? 'SHIPMENT' : 'OTHER';
}

class Catalogue {
  readonly kinds = new Map<string, Kind>();
  readonly markets = new Map<string, Staged['markets'][number]>();

  kindNo({ transactionType, amountType, amountDescription }: SettlementLine): number {
    const key = `${transactionType}\t${amountType}\t${amountDescription}`;
    let kind = this.kinds.get(key);
    if (!kind) {
      const classified = classify(transactionType, amountType, amountDescription);
      kind = { ...classified, no: this.kinds.size, transactionType, amountType, amountDescription };
      this.kinds.set(key, kind);
    }
    return kind.no;
  }

  marketNo(name: string): number {
    let market = this.markets.get(name);
    if (!market) {
      const marketplaceId = marketplaceOfChannel(name)?.id ?? null;
      market = { no: this.markets.size, name, marketplaceId, lines: 0 };
      this.markets.set(name, market);
    }
    market.lines += 1;
    return market.no;
  }
}

function copyLine(line: SettlementLine, kindNo: number, marketNo: number): string {
  const reference = line.orderId;
  const kind = refKind(reference);
  return `${[
    field(line.lineNo),
    field(line.part),
    kindNo,
    marketNo,
    line.amount,
    field(kind),
    field(reference === '' ? null : reference),
    field(kind === 'ORDER' ? reference : null),
    field(line.orderItemCode || null),
    field(line.adjustmentId || null),
    field(line.shipmentId || null),
    field(line.fulfillmentId || null),
    field(line.sku),
    field(line.quantity),
    field(line.promotionId || null),
    field(line.postedAt),
  ].join('\t')}\n`;
}

const COLUMNS = `line_no int NOT NULL, part smallint NOT NULL, kind_no int NOT NULL, market_no int NOT NULL,
  amount numeric NOT NULL, ref_kind text, ref_value text, order_id text, order_item_code text, adjustment_id text,
  shipment_id text, fulfillment_id text, sku text NOT NULL, quantity int, promotion_id text, posted_at timestamptz`;

/** Copies all lines of a file into the temporary table stage_line; nothing but the batch at hand is in memory. */
export async function stageLines(ctx: Ctx, batches: AsyncIterable<SettlementLine[]>): Promise<Staged> {
  await sql`DROP TABLE IF EXISTS pg_temp.stage_line`.execute(ctx.db);
  await sql.raw(`CREATE TEMP TABLE stage_line (${COLUMNS}) ON COMMIT DROP`).execute(ctx.db);
  const catalogue = new Catalogue();
  async function* text(): AsyncGenerator<string> {
    for await (const batch of batches) {
      let out = '';
      for (const line of batch) out += copyLine(line, catalogue.kindNo(line), catalogue.marketNo(line.marketplaceName));
      yield out;
    }
  }
  await copyText(ctx, 'pg_temp.stage_line', text());
  await sql`ANALYZE stage_line`.execute(ctx.db);
  return { kinds: [...catalogue.kinds.values()], markets: [...catalogue.markets.values()] };
}
