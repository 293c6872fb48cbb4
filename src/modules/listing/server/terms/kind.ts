import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  ComeBackLater,
  type SpApi,
  type Write,
  type WriteKind,
  type WriteWork,
  writeEnded,
  writeRetried,
  writeStates,
} from '#modules/marketplace/server/index.ts';
import { lowestOf, sameTerms, type Terms, termsWords } from '../../contract/terms.ts';
import type { ApiItem } from '../api-item.ts';
import { underFloor } from '../offers/floors.ts';
import { readAgain } from '../offers/follow.ts';
import { frozenUntil } from '../offers/frozen.ts';
import { kindTitle, TERMS_WRITE, type TermsWrite } from './plan.ts';
import { termsOf, termsPatch } from './wire.ts';

const AGAIN_MS = 2_000;
const itemPath = ({ sellerId, sku }: TermsWrite): string =>
  `/listings/2021-08-01/items/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}`;

/** The part of the offer as Amazon has it now; undefined where it has no such listing. */
async function liveOf(api: SpApi, marketplaceId: string, write: TermsWrite): Promise<Terms | null | undefined> {
  try {
    const { body } = await api.call<ApiItem>({
      operation: 'getListingsItem',
      method: 'GET',
      path: itemPath(write),
      query: { marketplaceIds: [marketplaceId], includedData: ['attributes'] },
    });
    return termsOf(body.attributes?.purchasable_offer ?? [], marketplaceId)[write.kind];
  } catch (error) {
    if (error instanceof ApiRefused && error.status === 404) return undefined;
    throw error;
  }
}

interface Leaving {
  status: string;
  listing_id: string;
  agreed_floor: string | null;
  /** Writes of older changes of the same part. */
  older: string[];
}

/** What the company itself says against a change that is about to leave. @throws ComeBackLater while an older one is under way */
async function unfitHere(ctx: Ctx, { changeId, terms }: TermsWrite): Promise<string | undefined> {
  const { rows } = await sql<Leaving>`
    SELECT c.status, c.listing_id, c.agreed_floor,
           array(SELECT o.write_id FROM listing.offer_change AS o
                  WHERE o.company_id = c.company_id AND o.listing_id = c.listing_id AND o.kind = c.kind
                    AND o.id < c.id AND o.write_id IS NOT NULL ORDER BY o.id DESC LIMIT 20) AS older
      FROM listing.offer_change AS c WHERE c.company_id = ${ctx.companyId} AND c.id = ${changeId}`.execute(ctx.db);
  const [row] = rows;
  if (row?.status !== 'queued') return '提交前撤下：已有新的修改';
  const underWay = [...(await writeStates(ctx, row.older)).values()].includes('sending');
  if (underWay) throw new ComeBackLater(AGAIN_MS, 'an older change of the same offer is under way');
  const frozen = (await frozenUntil(ctx, [row.listing_id])).get(row.listing_id);
  if (frozen !== undefined) return `提交前撤下：调价已冻结至 ${frozen}`;
  const price = lowestOf(terms);
  if (price === null) return undefined;
  const [under] = await underFloor(ctx, [{ listingId: row.listing_id, price, agreedFloor: row.agreed_floor }]);
  return under && `提交前撤下：价格低于保本价 ${under.floor}，需主管审批`;
}

/** Between the wish and the call: costs, locks, and what somebody changed in Seller Central, which is not overwritten. */
async function unfit(api: SpApi, { marketplaceId, request }: Write, work: WriteWork): Promise<string | undefined> {
  const write = request as TermsWrite;
  const here = await inTenant(work.runtime, systemPrincipal(work.companyId), (ctx) => unfitHere(ctx, write));
  if (here !== undefined) return here;
  const now = await liveOf(api, marketplaceId, write);
  if (now === undefined) return '亚马逊没有这个商品，没有提交';
  if (sameTerms(now, write.seen) || sameTerms(now, write.terms)) return undefined;
  const title = kindTitle(write.kind);
  return `${title}已在卖家后台被修改，没有覆盖：卖家后台现为 ${termsWords(now, write.currency)}，本次要改为 ${termsWords(write.terms, write.currency)}`;
}

interface Answer {
  status?: string;
  issues?: readonly { message?: string; severity?: string }[];
}

/** 促销价、B2B价 and B2B数量折扣: one part of an offer. A second call has the effect of the first. */
export const termsKind: WriteKind = {
  kind: TERMS_WRITE,
  title: '促销价与B2B价',
  permission: 'amz:price:edit',
  call: ({ marketplaceId, request }) => {
    const write = request as TermsWrite;
    const { kind, currency, productType, terms } = write;
    return {
      operation: 'patchListingsItem',
      method: 'PATCH',
      path: itemPath(write),
      query: { marketplaceIds: [marketplaceId], issueLocale: 'zh_CN' },
      body: { productType, patches: [termsPatch({ kind, marketplaceId, currency }, terms)] },
    };
  },
  unfit,
  verify: async (api, { marketplaceId, request }) => {
    const write = request as TermsWrite;
    const now = await liveOf(api, marketplaceId, write);
    return now !== undefined && sameTerms(now, write.terms) ? 'done' : 'absent';
  },
  refusalIn: (body, { request }) => {
    const { status, issues = [] } = (body ?? {}) as Answer;
    if (status === 'ACCEPTED') return undefined;
    const words = issues.filter(({ severity }) => severity === 'ERROR').map(({ message = '' }) => message);
    return `${kindTitle((request as TermsWrite).kind)}：${words.join('；') || '亚马逊没有接受，也没有说明原因'}`;
  },
  problemOf: ({ status, message }) => (status === 400 ? `亚马逊拒绝：${message}` : undefined),
};

const STATES = { done: 'accepted', unknown: 'accepted', refused: 'refused', cancelled: 'cancelled' } as const;

/** What became of the call becomes what became of the change; what was taken is read back. */
export const onTermsEnded = on(writeEnded, async (ctx, { kind, writeId, state, problem, accountId, marketplaceId }) => {
  if (kind !== TERMS_WRITE) return;
  const status = STATES[state];
  const { rows } = await sql`
    UPDATE listing.offer_change
       SET status = ${status}, problem = ${problem}, accepted_at = CASE WHEN ${status} = 'accepted' THEN kit.now() END
     WHERE company_id = ${ctx.companyId} AND write_id = ${writeId} AND status = 'queued' RETURNING id`.execute(ctx.db);
  // What was refused because it is another one by now is read, too.
  if (rows.length > 0 && status !== 'cancelled') await readAgain(ctx, { accountId, marketplaceId }, 0);
});

/** A call that goes out once more waits again, unless something newer has taken its place. @throws 409 */
export const onTermsRetried = on(writeRetried, async (ctx, { kind, writeId }) => {
  if (kind !== TERMS_WRITE) return;
  const { rows } = await sql`
    UPDATE listing.offer_change AS c SET status = 'queued', problem = NULL, accepted_at = NULL
     WHERE c.company_id = ${ctx.companyId} AND c.write_id = ${writeId}
       AND NOT EXISTS (SELECT FROM listing.offer_change AS o
                        WHERE o.company_id = c.company_id AND o.listing_id = c.listing_id AND o.kind = c.kind
                          AND o.id > c.id)
    RETURNING id`.execute(ctx.db);
  if (rows.length === 0) throw conflict('该商品已有新的修改，不能重试');
});
