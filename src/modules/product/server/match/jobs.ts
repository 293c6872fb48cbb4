import type { Ctx } from '#kit/server/context.ts';
import { extend } from '#kit/server/extension.ts';
import { job, task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, systemPrincipal, taskPrincipal } from '#kit/server/runtime.ts';
import { type ScheduleHandler, schedules } from '#modules/system/server/index.ts';
import { runRules } from './rules.ts';
import { findAll } from './suggest/run.ts';

const AUTO = 'product.autoMatch';
const SUGGEST = 'product.matchSuggest';
const LONGEST_MS = 15 * 60_000;

type Auto = { sites?: string[] | undefined };
type Found = Awaited<ReturnType<typeof runRules>>;

/** 「共配对 12 个商品：去FBA 10，国家后缀 2」 */
const words = ({ matched, rules }: Found): string => {
  const each = rules.filter((rule) => rule.matched > 0).map((rule) => `${rule.name} ${rule.matched}`);
  return matched === 0 ? '没有可以自动配对的商品' : `共配对 ${matched} 个商品：${each.join('，')}`;
};

/** Pairs by the rules, in one transaction: repeated after a crash it finds nothing left to do. */
export const autoMatchTask = task<Auto>(AUTO, async (runtime, handle, { sites }) => {
  const found = await inTenant(runtime, taskPrincipal(handle), (ctx) => runRules(ctx, { dryRun: false, sites }), {
    timeoutMs: LONGEST_MS,
  });
  return { detail: words(found), result: { matched: found.matched, rules: found.rules } };
});

/** Looks for suggestions; writes all of a run or nothing. */
export const suggestTask = task<object>(SUGGEST, async (runtime, handle) => {
  // Of the whole company, whoever asks: what others paired is what the suggestions are made of. Who sees which of them is decided
  // when they are read.
  const found = await inTenant(
    runtime,
    systemPrincipal(handle.companyId),
    (ctx) => findAll(ctx, (percent, detail) => handle.progress(percent, detail)),
    { timeoutMs: LONGEST_MS },
  );
  return {
    detail: `${found.unpaired} 个未配对商品，${found.open} 条待处理建议，其中新增 ${found.fresh} 条`,
    result: found,
  };
});

/** Starts pairing by the rules; a company's runs come one after the other. */
export const startAutoMatch = async (ctx: Ctx, sites: string[] | undefined) => ({
  taskId: await startTask(ctx, AUTO, '自动配对', { sites } satisfies Auto, { queue: `${AUTO}:${ctx.companyId}` }),
});

/** Starts a look for suggestions. */
export const startSuggest = async (ctx: Ctx) => ({
  taskId: await startTask(ctx, SUGGEST, '计算配对建议', {}, { queue: `${AUTO}:${ctx.companyId}` }),
});

/** Each night, so that suggestions and conflicts keep up with new listings; nothing is paired by it. */
export const suggestNight = job<object>('product.matchSuggestNight', async (runtime) => {
  const companies = await inSystem(runtime, (db) => db.selectFrom('identity.company').select('company_id').execute());
  for (const { company_id } of companies) {
    try {
      await inTenant(runtime, systemPrincipal(company_id), (ctx) => findAll(ctx), { timeoutMs: LONGEST_MS });
    } catch (error) {
      runtime.log.error({ err: error, companyId: company_id }, 'suggestions of pairings were not made');
    }
  }
});

const autoMatchNight: ScheduleHandler = {
  key: AUTO,
  title: '自动配对',
  group: '产品',
  description: '每晚按配对规则配对还没有配对的商品；已有的配对不变。默认不启用，没有规则时什么也不做',
  scope: 'company',
  defaultCron: '40 3 * * *',
  startsPaused: true,
  async run(runtime, { companyId }) {
    const found = await inTenant(runtime, systemPrincipal(companyId), (ctx) => runRules(ctx, { dryRun: false }), {
      timeoutMs: LONGEST_MS,
    });
    return words(found);
  },
};

/** Goes into the manifest. */
export const matchSchedules = [extend(schedules, autoMatchNight)];
