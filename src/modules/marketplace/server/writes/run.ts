import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { createSpApi } from '../api/client.ts';
import { ApiRefused, AuthLost, ComeBackLater, hadNoEffect, type SpApi, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import { kindOf, type Write, type WriteKind } from './kinds.ts';
import { type OpenWrite, readWrite, step, type WriteChange } from './step.ts';

const RETRY_CAP_MS = 15 * 60_000;
const MAX_ATTEMPTS = 8;
/** What was sent shows at the marketplace within so long. */
const SHOWS_AFTER_SEC = 30;
const MAX_LOOKS = 6;
const UNANSWERED = '没有收到亚马逊的答复，请在卖家后台核实后再重试';

interface WritePayload {
  companyId: string;
  writeId: string;
}

interface Work {
  runtime: Runtime;
  companyId: string;
  api: SpApi;
  kind: WriteKind;
  row: OpenWrite;
}

/** Somebody called the write back, or another worker took it, before it could leave. */
class Overtaken extends Error {}

function put({ runtime, companyId, row }: Work, change: WriteChange, afterMs = 0): Promise<boolean> {
  return inTenant(runtime, systemPrincipal(companyId), (ctx) => step(ctx, row, change, afterMs));
}

const writeOf = ({ marketplace_id: marketplaceId, subject, key, request }: OpenWrite): Write => ({
  marketplaceId,
  subject,
  key,
  request,
});

function pauseOf({ runtime }: Work, tries: number): number {
  return Math.random() * Math.min(RETRY_CAP_MS, runtime.config.retryBaseMs * 2 ** tries);
}

/** How a call goes on that certainly had no effect: later, or not at all. */
function afterRefusal(work: Work, error: unknown): { change: WriteChange; afterMs: number } {
  const { kind, row } = work;
  if (error instanceof ApiRefused) {
    const { status, code, message, requestId } = error;
    const problem = (kind.problemOf?.(error) ?? wordsOf(error)).slice(0, 1000);
    const answer = JSON.stringify({ status, requestId: requestId ?? null, code, message });
    return { change: { state: 'refused', problem, answer }, afterMs: 0 };
  }
  const problem = wordsOf(error).slice(0, 1000);
  const back: WriteChange = { state: 'planned', problem };
  if (error instanceof ComeBackLater) return { change: back, afterMs: error.afterMs };
  if (error instanceof AuthLost) return { change: back, afterMs: RETRY_CAP_MS };
  if (row.attempts + 1 >= MAX_ATTEMPTS)
    return { change: { state: 'refused', problem: `提交失败：${problem}` }, afterMs: 0 };
  return { change: { ...back, attempts: row.attempts + 1 }, afterMs: pauseOf(work, row.attempts) };
}

/** Makes the call. That it may have left is written down before it does. */
async function send(work: Work): Promise<void> {
  const { api, kind, row, runtime } = work;
  const sent: Work = { ...work, row: { ...row, state: 'sending', looks: 0 } };
  let left = false;
  const announce = async () => {
    const change: WriteChange = { state: 'sending', sent_at: sql`kit.now()`, looks: 0, problem: null };
    left = await put(work, change, runtime.config.leaseSec * 1000);
    if (!left) throw new Overtaken();
  };
  try {
    const unfit = await kind.unfit?.(api, writeOf(row), work);
    if (unfit !== undefined) return void (await put(work, { state: 'refused', problem: unfit.slice(0, 1000) }));
    const request = kind.call(writeOf(row));
    const filled = kind.fill ? { ...request, body: await kind.fill(request.body, writeOf(row), work) } : request;
    const { status = null, body, requestId } = await api.call<unknown>({ ...filled, announce });
    const refusal = kind.refusalIn?.(body, writeOf(row));
    const kept = kind.take && refusal === undefined ? await kind.take(body, writeOf(row), work) : body;
    const answer = JSON.stringify({ status, requestId: requestId ?? null, body: kept });
    if (refusal !== undefined) await put(sent, { state: 'refused', answer, problem: refusal.slice(0, 1000) });
    else await put(sent, { state: 'done', answer, problem: null });
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (left && !hadNoEffect(error)) {
      await put(sent, { problem: '没有收到亚马逊的答复，正在核实是否已受理' }, runtime.config.retryBaseMs);
      return;
    }
    const { change, afterMs } = afterRefusal(left ? sent : work, error);
    await put(left ? sent : work, change, afterMs);
  }
}

/** A call left and nobody knows its answer: the marketplace itself says whether it arrived. */
async function lookForIt(work: Work): Promise<void> {
  const { api, kind, row, runtime } = work;
  const again: WriteChange = { state: 'planned', attempts: row.attempts + 1, looks: 0 };
  if (!kind.verify) {
    // What may be called twice is simply called again.
    const isOnce = kind.call(writeOf(row)).once === true;
    await put(work, isOnce ? { state: 'unknown', problem: UNANSWERED } : again);
    return;
  }
  let verdict: Awaited<ReturnType<typeof kind.verify>> = 'unknown';
  try {
    verdict = await kind.verify(api, writeOf(row), work);
  } catch (error) {
    if (error instanceof ComeBackLater) return void (await put(work, {}, error.afterMs));
    if (error instanceof AuthLost) return void (await put(work, {}, RETRY_CAP_MS));
    if (!(error instanceof ApiRefused)) throw error;
  }
  if (verdict === 'done' || typeof verdict === 'object') {
    const body = typeof verdict === 'object' ? { body: verdict.found } : {};
    const answer = JSON.stringify({ status: null, requestId: null, found: true, ...body });
    await put(work, { state: 'done', answer, problem: null });
    return;
  }
  const patience = Math.min(SHOWS_AFTER_SEC, runtime.config.leaseSec);
  if (verdict === 'absent' && row.sent_for_sec >= patience) {
    await put(work, row.attempts + 1 >= MAX_ATTEMPTS ? { state: 'unknown', problem: UNANSWERED } : again);
  } else if (verdict === 'absent') await put(work, {}, (patience - row.sent_for_sec) * 1000);
  else if (row.looks + 1 >= MAX_LOOKS) await put(work, { state: 'unknown', problem: UNANSWERED });
  else await put(work, { looks: row.looks + 1 }, runtime.config.retryBaseMs * 2 ** row.looks);
}

/** One step of a write: the call, or the look for one whose answer is lost. */
export const writeJob = job<WritePayload>('marketplace.write', async (runtime, { companyId, writeId }) => {
  const found = await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const row = await readWrite(ctx, writeId);
    if (!row) return undefined;
    const account = await accountOf(ctx.db, companyId, row.account_id);
    const kind = kindOf(runtime.modules, row.kind);
    if (account && kind) return { row, account, kind };
    const problem = row.state === 'sending' ? UNANSWERED : '店铺授权已删除，没有提交';
    await step(ctx, row, { state: row.state === 'sending' ? 'unknown' : 'refused', problem });
    return undefined;
  });
  if (!found) return;
  const { row, account, kind } = found;
  const work: Work = { runtime, companyId, kind, row, api: createSpApi(runtime, account, { calls: 0, throttled: 0 }) };
  await (row.state === 'planned' ? send(work) : lookForIt(work));
});
