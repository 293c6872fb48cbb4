import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type DraftDetail, type DraftFilter, DraftRow, EDIT, OPEN_STATES, SUBMIT } from '../../contract/draft.ts';
import { ownChanges } from '../form/merge.ts';
import { diffOf } from '../form/values.ts';
import { siteParts } from '../site.ts';
import { checkOf, judgedOf } from './judge.ts';
import type { Draft } from './row.ts';
import { versionList } from './versions.ts';

const SEARCHED = sql<string>`lower(d.seller_sku || ' ' || d.title || ' ' || coalesce(d.asin, ''))`;

function queryOf(ctx: Ctx, { state, sites, keyword, origin, created }: DraftFilter) {
  let query = ctx.db.selectFrom('publish.draft as d').where('d.company_id', '=', ctx.companyId);
  if (state?.length) query = query.where('d.state', 'in', state);
  if (origin) query = query.where('d.origin', '=', origin);
  if (keyword) query = query.where(sql<boolean>`position(${keyword.trim().toLowerCase()} IN ${SEARCHED}) > 0`);
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
  if (created) query = query.where(onDays('d.created_at', created));
  return query;
}

function rowOf(draft: Draft, stores: ReadonlyMap<string, string>): DraftRow {
  const { base, attributes, is_new } = draft;
  return {
    id: draft.id,
    product: { name: draft.title, code: draft.seller_sku, image: draft.image, extra: draft.asin },
    store: { name: stores.get(draft.account_id) ?? '', country: countryOf(draft.marketplace_id) },
    state: draft.state,
    origin: draft.origin,
    productType: draft.product_type,
    changes: is_new ? Object.keys(attributes).length : ownChanges(base, attributes).length,
    problem: draft.problem,
    createdBy: draft.created_by_name,
    createdAt: draft.created_at,
    submitAt: OPEN_STATES.includes(draft.state) ? draft.submit_at : null,
    submittedAt: draft.submitted_at,
    liveAt: draft.live_at,
    version: draft.version,
  };
}

/** Drafts and submissions, newest first. */
export async function draftPage(ctx: Ctx, request: PageRequest<DraftFilter>): Promise<PageOf<DraftRow>> {
  const stores = await storeNames(ctx);
  return page<Draft, DraftRow>(ctx, request, {
    row: DraftRow,
    query: listQuery(queryOf(ctx, request.filter).selectAll('d')),
    sort: { createdAt: 'd.created_at', submittedAt: 'd.submitted_at', liveAt: 'd.live_at', state: 'd.state' },
    order: [['d.created_at', 'desc']],
    key: 'd.id',
    map: (row) => rowOf(row, stores),
  });
}

/** How many drafts are in each state; "all" is their sum. */
export function draftCounts(ctx: Ctx, { state: _, ...others }: DraftFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'd.state');
}

/** A draft with its form, what is wrong with it, what it changes, and the versions of its listing. @throws 404 */
export async function draftDetailOf(open: OpenCtx, id: string): Promise<DraftDetail> {
  const judged = await judgedOf(open, id);
  const { draft, form } = judged;
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const [mayEdit, maySubmit] = [can(ctx, EDIT), can(ctx, SUBMIT)];
      const isOpen = OPEN_STATES.includes(draft.state);
      return {
        ...rowOf(draft, await storeNames(ctx)),
        sellerSku: draft.seller_sku,
        isNew: draft.is_new,
        form,
        attributes: draft.attributes as DraftDetail['attributes'],
        base: draft.base as DraftDetail['base'],
        issues: draft.issues,
        check: checkOf(judged, draft.attributes),
        diff: diffOf(form, draft.base, draft.attributes),
        versions: await versionList(ctx, draft),
        may: {
          edit: isOpen && mayEdit,
          submit: isOpen && maySubmit,
          cancel: mayEdit && (isOpen || draft.state === 'queued'),
          restore: mayEdit && !isOpen && !['queued', 'processing'].includes(draft.state),
        },
      };
    },
    { readOnly: true },
  );
}
