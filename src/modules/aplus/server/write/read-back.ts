import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  AuthLost,
  accountOf,
  ComeBackLater,
  createSpApi,
  marketplaceNow,
  remindOfWrite,
} from '#modules/marketplace/server/index.ts';
import { type Place, type Read, type RelatedAsin, readAsins, readDocument } from '../api.ts';
import { type Document, documentOf, putDocument } from '../row.ts';
import { landDocument } from '../sync/land.ts';
import { adopt } from './adopt.ts';
import { madeBy, sameContent } from './kind.ts';
import type { AplusWrite } from './wish.ts';

/** Pauses before a document is read again whose change was accepted, minutes: two hours in all. */
const READ_BACK_MIN = [0, 1, 2, 5, 10, 15, 30, 60];
/** The first pause between two tries of a call is 2 s where nothing else is set: minutes shrink with it in tests. */
const USUAL_BASE_MS = 2_000;

interface ReadBack {
  companyId: string;
  documentId: string;
  round: number;
}

/** Has a document read again until it shows what was accepted. */
export async function readBackLater(ctx: Ctx, documentId: string, round = 0): Promise<void> {
  const shrink = Math.min(1, ctx.runtime.config.retryBaseMs / USUAL_BASE_MS);
  const runAt = new Date(ctx.runtime.clock.ms() + (READ_BACK_MIN[round] ?? 0) * 60_000 * shrink);
  const payload: ReadBack = { companyId: ctx.companyId, documentId, round };
  await enqueue(ctx, 'aplus.readBack', payload, { key: `aplusBack:${documentId}`, runAt });
}

interface Seen {
  key: string;
  read: Read;
  asins: RelatedAsin[];
}

async function see(place: Place, document: Document, write: AplusWrite): Promise<Seen | undefined> {
  const key = document.content_key ?? (await madeBy(place, write));
  if (key === undefined) return undefined;
  const read = await readDocument(place, key);
  return read && { key, read, asins: await readAsins(place, key) };
}

/** Whether what is seen is the effect of the step. */
function shows({ read, asins }: Seen, { step, content, asins: wished = [], base }: AplusWrite): boolean {
  const published = asins.some(({ badgeSet }) => badgeSet?.includes('CONTENT_PUBLISHED'));
  if (step === 'relate') return asins.length === wished.length && asins.every(({ asin }) => wished.includes(asin));
  if (step === 'submit') return read.metadata.status !== 'DRAFT' && read.metadata.updateTime !== base;
  if (step === 'suspend') return !published;
  return sameContent(read.content, content) || (base !== null && read.metadata.updateTime !== base);
}

/** Reads a document until it shows what was accepted, for two hours. */
export const readBackJob = job<ReadBack>('aplus.readBack', async (runtime, { companyId, documentId, round }) => {
  const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) => inTenant(runtime, systemPrincipal(companyId), work);
  const found = await inCompany(async (ctx) => {
    const document = await documentOf(ctx, documentId).catch(() => undefined);
    const account = document?.step ? await accountOf(ctx.db, companyId, document.account_id) : undefined;
    const wish = document?.wish;
    return document && account && wish ? { document, account, wish } : undefined;
  });
  if (!found) return;
  const { document, account, wish } = found;
  const asOf = (await marketplaceNow(runtime)).toISOString();
  const place = {
    api: createSpApi(runtime, account, { calls: 0, throttled: 0 }),
    marketplaceId: document.marketplace_id,
  };
  let seen: Seen | undefined;
  try {
    seen = await see(place, document, wish);
  } catch (error) {
    // Nobody knows: the next round looks again.
    if (!(error instanceof ApiRefused || error instanceof AuthLost || error instanceof ComeBackLater)) throw error;
  }
  await inCompany(async (ctx) => {
    const now = await documentOf(ctx, documentId, true);
    if (now.step !== wish.step || now.write_id !== document.write_id) return;
    if (seen) {
      if (now.content_key === null) await adopt(ctx, now, seen.key);
      const shelf = { accountId: now.account_id, marketplaceId: now.marketplace_id, asOf };
      await landDocument(ctx, shelf, {
        key: seen.key,
        metadata: seen.read.metadata,
        read: seen.read,
        asins: seen.asins,
      });
    }
    if (seen && shows(seen, wish)) {
      const written = wish.step === 'save' ? { draft: null, base_at: null, issues: '[]' } : {};
      await putDocument(ctx, now.id, { step: null, problem: null, ...written });
    } else if (round + 1 < READ_BACK_MIN.length) await readBackLater(ctx, now.id, round + 1);
    else {
      const problem = '亚马逊已受理，但两小时后仍未显示，请在卖家后台核实';
      await putDocument(ctx, now.id, { step: null, problem });
      if (now.write_id) await remindOfWrite(ctx, now.write_id, problem);
    }
  });
});
