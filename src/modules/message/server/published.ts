import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { departmentsOf, rolesOf } from '#modules/identity/server/index.ts';
import { type AnnouncementFilter, AnnouncementRow, type Audience, PREFIXES } from '../contract/announcements.ts';
import { FTYPE } from '../contract/messages.ts';
import { companiesFor } from './announcements.ts';
import { audienceText, type Names } from './audience.ts';
import { acrossCompanies, speaksForPlatform } from './platform.ts';

type Filter = { [K in keyof z.infer<typeof AnnouncementFilter>]?: z.infer<typeof AnnouncementFilter>[K] | undefined };

const STATE = sql<'published' | 'expired' | 'retracted'>`CASE WHEN m.retracted_at IS NOT NULL THEN 'retracted'
  WHEN m.expires_at <= kit.now() THEN 'expired' ELSE 'published' END`;

function own(ctx: Ctx, filter: Filter) {
  let query = ctx.db
    .selectFrom('message.message as m')
    .where('m.company_id', '=', ctx.companyId)
    .where('m.ftype', '=', FTYPE.announcement)
    .where('m.platform', '=', false);
  if (filter.state) query = query.where(STATE, '=', filter.state);
  if (filter.action?.length) {
    query = query.where(
      'm.timely',
      'in',
      filter.action.map((action) => action === 'timely'),
    );
  }
  if (filter.keyword) query = query.where('m.title', 'ilike', containing(filter.keyword));
  return query;
}

function selected(query: ReturnType<typeof own>) {
  return query.select([
    'm.id',
    'm.title',
    'm.prefix',
    'm.content',
    'm.timely',
    'm.audience',
    'm.read_count',
    'm.created_by_name',
    'm.created_at',
    'm.expires_at',
    'm.retracted_at',
    'm.retracted_by_name',
    STATE.as('state'),
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

async function namesOf(ctx: Ctx): Promise<Names> {
  const map = (rows: readonly { id: string; name: string }[]) => new Map(rows.map((row) => [row.id, row.name]));
  return {
    companies: map(await companiesFor(ctx)),
    departments: map(await departmentsOf(ctx)),
    roles: map(await rolesOf(ctx)),
  };
}

/** Readers in all companies, by announcement of the platform. */
async function readElsewhere(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (!speaksForPlatform(ctx) || ids.length === 0) return new Map();
  return acrossCompanies(ctx, async () => {
    const { rows } = await sql<{ id: string; n: number }>`
      SELECT id, sum(read_count) AS n FROM message.message
       WHERE platform AND id = ANY (${[...ids]}::uuid[]) GROUP BY id`.execute(ctx.db);
    return new Map(rows.map((row) => [row.id, row.n]));
  });
}

function toRow(row: Row, names: Names, platform: boolean): AnnouncementRow {
  const audience = (row.audience as Audience | null) ?? {};
  return {
    id: row.id,
    title: `${row.prefix ?? ''}${row.title}`,
    action: row.timely ? 'timely' : 'like',
    audienceText: audienceText(audience, names, platform),
    state: row.state,
    readCount: row.read_count,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    retractedByName: row.retracted_by_name,
    retractedAt: row.retracted_at,
    prefix: Object.entries(PREFIXES).find(([, text]) => text === row.prefix)?.[0] ?? null,
    content: row.content,
    audience,
  };
}

/** Announcements that the caller's company published, newest first. */
export async function announcementPage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<AnnouncementRow>> {
  const names = await namesOf(ctx);
  const platform = speaksForPlatform(ctx);
  const result = await page<Row, AnnouncementRow>(ctx, request, {
    row: AnnouncementRow,
    query: listQuery(selected(own(ctx, request.filter))),
    sort: { createdAt: 'm.id', expiresAt: 'm.expires_at', readCount: 'm.read_count' },
    order: [['m.id', 'desc']],
    key: 'm.id',
    map: (row) => toRow(row, names, platform),
  });
  const ids = result.records.map((row) => row.id);
  const elsewhere = await readElsewhere(ctx, ids);
  const records = result.records.map((row) => ({
    ...row,
    readCount: row.readCount + (elsewhere.get(row.id) ?? 0),
  }));
  return { ...result, records };
}

/** Announcements of a filter by state, whatever state the filter names. */
export async function announcementCounts(ctx: Ctx, filter: Filter): Promise<Record<string, number>> {
  const rows = await own(ctx, { ...filter, state: undefined })
    .select((eb) => [STATE.as('state'), eb.fn.countAll<number>().as('n')])
    .groupBy(STATE)
    .execute();
  return Object.fromEntries([
    ...rows.map((row) => [row.state, row.n] as const),
    ['all', rows.reduce((sum, row) => sum + row.n, 0)] as const,
  ]);
}
