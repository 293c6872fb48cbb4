import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type QuotaFilter, QuotaRow, type RoomUnit, type StorageType } from '../../contract/quota/fields.ts';
import { roomKey, type Usage, usageOf } from './usage.ts';
import { stateOf, toFt3, toM3 } from './volume.ts';

function matching(ctx: Ctx, filter: QuotaFilter) {
  let query = ctx.db.selectFrom('shipping.quota as q').where('q.company_id', '=', ctx.companyId);
  if (filter.authid?.length) query = query.where('q.account_id', 'in', filter.authid);
  if (filter.storageType?.length) query = query.where('q.storage_type', 'in', filter.storageType);
  if (filter.month) query = query.where('q.month', '=', `${filter.month}-01`);
  return query;
}

const REQUESTS = sql<{ granted: string; open: number }>`(
  SELECT jsonb_build_object('granted', coalesce(sum(r.granted), 0)::text,
           'open', count(*) FILTER (WHERE r.state = 'pending'))
    FROM shipping.quota_request AS r WHERE r.company_id = q.company_id AND r.quota_id = q.id)`;

const selected = (ctx: Ctx, filter: QuotaFilter) =>
  matching(ctx, filter).selectAll('q').select(REQUESTS.as('requests'));
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

interface Known {
  stores: ReadonlyMap<string, string>;
  usage: ReadonlyMap<string, Usage>;
  /** The company's month of today. */
  month: string;
}

const words = (value: Decimal | undefined): string | null => value?.toFixed(2) ?? null;

function figuresOf(row: DbRow, { usage, month }: Known) {
  const unit = row.unit as RoomUnit;
  const granted = toM3(row.requests.granted, unit);
  const room = toM3(row.room, unit).plus(granted);
  const past = row.month.slice(0, 7) < month;
  const zero = new Decimal(0);
  const taken = past
    ? undefined
    : (usage.get(roomKey(row.account_id, row.stock, row.storage_type as StorageType)) ?? {
        onHand: zero,
        transit: zero,
        waiting: zero,
        unmeasured: 0,
      });
  const used = taken?.onHand.plus(taken.transit).plus(taken.waiting);
  const free = used && room.minus(used);
  return {
    state: stateOf(room, used),
    room: room.toFixed(2),
    roomFt: toFt3(room).toFixed(2),
    granted: granted.toFixed(2),
    onHand: words(taken?.onHand),
    transit: words(taken?.transit),
    waiting: words(taken?.waiting),
    used: words(used),
    usedFt: words(used && toFt3(used)),
    free: words(free),
    freeFt: words(free && toFt3(free)),
    share: used && room.greaterThan(0) ? used.dividedBy(room).toFixed(4) : null,
    unmeasured: taken?.unmeasured ?? null,
  };
}

const toRow = (row: DbRow, known: Known): QuotaRow => ({
  id: row.id,
  store: { name: known.stores.get(row.account_id) ?? '—', country: row.stock },
  storageType: row.storage_type as StorageType,
  month: row.month.slice(0, 7),
  ...figuresOf(row, known),
  open: row.requests.open,
  entered: new Decimal(row.room).toFixed(),
  unit: row.unit as RoomUnit,
  currency: marketplaceOf(row.marketplace_id)?.currency ?? 'USD',
  remark: row.remark,
  updatedByName: row.updated_by_name,
  updatedAt: row.updated_at,
  accountId: row.account_id,
  marketplaceId: row.marketplace_id,
  version: row.version,
});

async function knownFor(ctx: Ctx, accounts: readonly string[]): Promise<Known> {
  return {
    stores: await storeNames(ctx),
    usage: await usageOf(ctx, accounts),
    month: ctx.clock.today().slice(0, 7),
  };
}

async function listDef(ctx: Ctx, filter: QuotaFilter): Promise<ListDef<DbRow, QuotaRow>> {
  // Of months that are over nothing is known but the room: what is taken now is reckoned for the others alone.
  const accounts = await matching(ctx, filter)
    .where('q.month', '>=', `${ctx.clock.today().slice(0, 7)}-01`)
    .select('q.account_id')
    .distinct()
    .execute();
  const known = await knownFor(
    ctx,
    accounts.map((row) => row.account_id),
  );
  return {
    row: QuotaRow,
    query: listQuery(selected(ctx, filter)),
    sort: { month: 'q.month', updatedAt: 'q.updated_at' },
    order: [
      ['q.month', 'desc'],
      ['q.id', 'desc'],
    ],
    key: 'q.id',
    map: (row) => toRow(row, known),
  };
}

/** One page of rooms with what is taken of each, the latest month first. */
export async function quotaPage(ctx: Ctx, request: PageRequest<QuotaFilter>): Promise<PageOf<QuotaRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

/** One room as its list shows it. */
export async function quotaRow(ctx: Ctx, id: string): Promise<QuotaRow | undefined> {
  const row = await selected(ctx, {}).where('q.id', '=', id).executeTakeFirst();
  return row && toRow(row, await knownFor(ctx, [row.account_id]));
}

/** All rooms of the filter as a file. */
export function exportQuotaFile(open: OpenCtx, body: ExportRequest<QuotaFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `仓容额度-${ctx.clock.today()}`,
      sheet: '仓容额度',
      format: body.format,
      columns: exportColumns(ctx, QuotaRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出仓容额度', resource: 'shipping.quota', filter: body.filter },
    }),
  );
}
