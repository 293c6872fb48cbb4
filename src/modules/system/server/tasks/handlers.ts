import { CronExpressionParser } from 'cron-parser';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';

export interface Firing {
  /** Company that it runs for; the operator's for work of the product itself. */
  companyId: string;
  /** Instant that the schedule names (ISO 8601, UTC), however late it is. */
  fireTime: string;
}

/** Work that can be scheduled. Only what modules register can be: a schedule names a handler and nothing else. */
export interface ScheduleHandler {
  /** e.g. "system.sealAudit". */
  key: string;
  title: string;
  group: string;
  description: string;
  /** 'company': each company has its own schedule; 'global': one for the whole product, kept by the operator. */
  scope: 'company' | 'global';
  /** Five fields: minute, hour, day, month, weekday. */
  defaultCron: string;
  /** Waits to be switched on by each company: it does what somebody has to want. */
  startsPaused?: true;
  /** IANA name; default Asia/Shanghai. */
  timeZone?: string;
  /**
   * Does the work and says in a few words what came of it. A process may die in the middle and another one begin anew,
   * so what it does must be repeatable.
   */
  run(runtime: Runtime, firing: Firing): Promise<string | undefined>;
}

/** What can be scheduled. */
export const schedules = extensionPoint<ScheduleHandler>('system.schedules');

export const DEFAULT_ZONE = 'Asia/Shanghai';

export function handlersOf(runtime: Pick<Runtime, 'modules'>): ScheduleHandler[] {
  return extensionsOf(runtime.modules, schedules);
}

export function handlerOf(runtime: Pick<Runtime, 'modules'>, key: string): ScheduleHandler | undefined {
  return handlersOf(runtime).find((handler) => handler.key === key);
}

const FIELDS = 5;
/** Work that is scheduled more often belongs into a queue. */
const MIN_GAP_MS = 60_000;

/**
 * First instant after `after` that a pattern names in a zone. Where a clock jumps over the time it runs right after the
 * gap; a time that a clock shows twice counts once.
 * @throws Error for a pattern that cannot be read or never comes
 */
export function nextFiring(cron: string, timeZone: string, after: Date): Date {
  if (cron.trim().split(/\s+/).length !== FIELDS) throw new Error('cron pattern needs five fields');
  const next = CronExpressionParser.parse(cron, { currentDate: after, tz: timeZone }).next().toDate();
  if (next.getTime() - after.getTime() <= 0) throw new Error('cron pattern does not move on');
  return next;
}

/** Why a pattern cannot be taken, in words; undefined where it can. */
export function cronProblem(cron: string, timeZone: string, now: Date): string | undefined {
  try {
    const first = nextFiring(cron, timeZone, now);
    const second = nextFiring(cron, timeZone, first);
    if (second.getTime() - first.getTime() < MIN_GAP_MS) return '执行间隔不能小于1分钟';
    return undefined;
  } catch {
    return '执行时间不是有效的 cron 表达式，应为「分 时 日 月 周」五段，例如 0 2 * * *';
  }
}
