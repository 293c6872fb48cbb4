import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { siteParts } from '#modules/publish/server/index.ts';
import { type AplusFilter, type AplusKind, AplusRow, type exportAplus } from '../contract/documents.ts';
import { type Document, RESOURCE } from './row.ts';
import { issueLine } from './words.ts';

function queryOf(ctx: Ctx, { state, sites, keyword, asin, shown = 'visible' }: AplusFilter) {
  let query = ctx.db.selectFrom('aplus.document as d').where('d.company_id', '=', ctx.companyId);
  if (state?.length) query = query.where('d.state', 'in', state);
  if (keyword) query = query.where(sql<boolean>`position(${keyword.trim().toLowerCase()} IN lower(d.name)) > 0`);
  if (shown !== 'all') query = query.where('d.hidden_at', shown === 'hidden' ? 'is not' : 'is', null);
  if (asin) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('aplus.document_asin as a')
          .select('a.asin')
          .where('a.company_id', '=', ctx.companyId)
          .whereRef('a.document_id', '=', 'd.id')
          .where('a.asin', '=', asin.trim().toUpperCase()),
      ),
    );
  }
  if (sites?.length) {
    query = query.where((eb) =>
      eb.or(
        sites
          .map(siteParts)
          .map((site) =>
            eb.and([eb('d.account_id', '=', site.accountId), eb('d.marketplace_id', '=', site.marketplaceId)]),
          ),
      ),
    );
  }
  return query;
}

const BADGES: Readonly<Record<string, string>> = {
  BULK: '批量',
  GENERATED: '自动生成',
  LAUNCHPAD: 'Launchpad',
  PREMIUM: '高级',
  STANDARD: '标准',
};

/** Standard, premium or a story of the brand, by what Amazon calls the document and its kind. */
export function kindOf({
  badges,
  content_type,
  sub_type,
}: Pick<Document, 'badges' | 'content_type' | 'sub_type'>): AplusKind {
  if (/brand.?story/i.test(`${content_type} ${sub_type ?? ''}`)) return 'STORY';
  return badges.includes('PREMIUM') ? 'PREMIUM' : 'STANDARD';
}

/** A document as lists show it. */
export function rowOf(document: Document, stores: ReadonlyMap<string, string>): AplusRow {
  const { reasons, problem, state } = document;
  return {
    id: document.id,
    name: document.name,
    store: { name: stores.get(document.account_id) ?? '', country: countryOf(document.marketplace_id) },
    kind: kindOf(document),
    locale: document.locale ?? '',
    state,
    step: document.step,
    asins: document.asin_count,
    badges: document.badges.map((badge) => BADGES[badge] ?? badge).join('、'),
    edited: document.draft !== null,
    problem: problem ?? (state === 'REJECTED' ? (issueLine(reasons) ?? '亚马逊没有说明原因，请在卖家后台查看') : null),
    updatedAt: document.amazon_updated_at,
    createdBy: document.created_by_name,
    hidden: document.hidden_at !== null,
    version: document.version,
  };
}

async function listOf(ctx: Ctx, filter: AplusFilter): Promise<ListDef<Document, AplusRow>> {
  const stores = await storeNames(ctx);
  return {
    row: AplusRow,
    query: listQuery(queryOf(ctx, filter).selectAll('d')),
    sort: { name: 'd.name', state: 'd.state', asins: 'd.asin_count', updatedAt: 'd.amazon_updated_at' },
    order: [['d.updated_at', 'desc']],
    key: 'd.id',
    map: (row) => rowOf(row, stores),
  };
}

/** Documents, the last changed first. */
export async function aplusPage(ctx: Ctx, request: PageRequest<AplusFilter>): Promise<PageOf<AplusRow>> {
  return page(ctx, request, await listOf(ctx, request.filter));
}

/** How many documents are in each state; "all" is their sum. */
export function aplusCounts(ctx: Ctx, { state: _, ...others }: AplusFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'd.state');
}

/** The documents of a filter as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportAplus.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: 'A+内容',
    sheet: 'A+内容',
    format: request.format,
    columns: exportColumns(ctx, AplusRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出A+内容', resource: RESOURCE, filter: request.filter },
  }));
}
