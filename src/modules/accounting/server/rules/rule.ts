import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { LedgerGrouping, LedgerSource } from '#kit/server/ledger-source.ts';
import { firstDay } from '../../contract/fields.ts';
import type { RuleRow, ruleData, saveRule } from '../../contract/rules.ts';
import { isClosed } from '../act.ts';
import { allSubjects } from '../subjects.ts';
import { placesOf, sourceOf, sourcesOf } from './sources.ts';

export const RULE = 'accounting.rule';

/** How the events of a source become vouchers. */
export interface Rule {
  /** 0 is what the source says itself. */
  version: number;
  active: boolean;
  by: LedgerGrouping;
  /** Codes by the key of their place, where they are not as preset. */
  subjects: Readonly<Record<string, string>>;
}

interface Kept extends Rule {
  source: string;
  /** yyyy-MM */
  fromMonth: string;
  changedBy: string;
  changedAt: string;
}

const preset = ({ by }: LedgerSource): Rule => ({ version: 0, active: true, by, subjects: {} });

/** The newest version of each rule that holds in a month "yyyy-MM" (its newest one at all without a month), by source. */
async function keptRules(ctx: Ctx, month?: string): Promise<ReadonlyMap<string, Kept>> {
  const { rows } = await sql<Kept>`
    SELECT DISTINCT ON (source) source, version, to_char(from_month, 'YYYY-MM') AS "fromMonth", active, grouping AS by, subjects,
           created_by_name AS "changedBy", created_at AS "changedAt"
      FROM accounting.rule
     WHERE company_id = ${ctx.companyId} AND from_month <= ${month ? firstDay(month) : null}::date IS NOT FALSE
     ORDER BY source, version DESC`.execute(ctx.db);
  return new Map(rows.map((row) => [row.source, row]));
}

/** The rules that hold in a month "yyyy-MM", by source. */
export async function rulesFor(ctx: Ctx, month: string): Promise<(source: LedgerSource) => Rule> {
  const kept = await keptRules(ctx, month);
  return (source) => kept.get(source.name) ?? preset(source);
}

function rowOf(source: LedgerSource, kept: Kept | undefined): RuleRow {
  const rule = kept ?? preset(source);
  return {
    source: source.name,
    title: source.title,
    about: source.about,
    state: rule.active ? 'ON' : 'OFF',
    by: rule.by,
    own: Object.keys(rule.subjects).length,
    version: rule.version,
    fromMonth: kept?.fromMonth ?? null,
    changedBy: kept?.changedBy ?? '',
    changedAt: kept?.changedAt ?? null,
  };
}

/** The newest rule of each source. */
export async function ruleRows(ctx: Ctx): Promise<RuleRow[]> {
  const kept = await keptRules(ctx);
  return sourcesOf(ctx).map((source) => rowOf(source, kept.get(source.name)));
}

/** The newest rule of a source with all of its places. @throws notFound */
export async function ruleOf(ctx: Ctx, name: string): Promise<z.output<typeof ruleData.reply>> {
  const source = sourceOf(ctx, name);
  const kept = (await keptRules(ctx)).get(name);
  return { rule: rowOf(source, kept), places: await placesOf(ctx, source), subjects: kept?.subjects ?? {} };
}

/** @throws refused B2721 naming the place whose subject takes no entries */
async function requireSubjects(ctx: Ctx, source: LedgerSource, subjects: Rule['subjects']): Promise<void> {
  const places = new Map((await placesOf(ctx, source)).map((place) => [place.key, place.title]));
  const known = new Map((await allSubjects(ctx)).map((subject) => [subject.code, subject]));
  for (const [key, code] of Object.entries(subjects)) {
    const title = places.get(key);
    if (title === undefined) throw refused(`科目：模板中没有「${key}」`, 'B2721');
    const subject = known.get(code);
    if (!subject) throw refused(`${title}：科目 ${code} 不存在`, 'B2721');
    if (!subject.leaf) throw refused(`${title}：科目 ${code} ${subject.name} 有下级，请选择末级科目`, 'B2721');
    if (subject.state === 'stopped') throw refused(`${title}：科目 ${code} ${subject.name} 已停用`, 'B2721');
  }
}

/**
 * Keeps a rule as a new version that holds from a month on.
 * @throws notFound; conflict for a stale version; refused B2721 subject, B2722 for a month whose books are closed
 */
export async function keepRule(ctx: Ctx, input: z.output<typeof saveRule.body>): Promise<{ version: number }> {
  const source = sourceOf(ctx, input.source);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`accounting.rule:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const kept = (await keptRules(ctx)).get(source.name);
  if ((kept?.version ?? 0) !== input.version) throw conflict();
  if (await isClosed(ctx, input.fromMonth)) throw refused(`生效月份：${input.fromMonth} 已结账`, 'B2722');
  if (kept && input.fromMonth < kept.fromMonth) throw refused(`生效月份不能早于上一版本的 ${kept.fromMonth}`, 'B2722');
  await requireSubjects(ctx, source, input.subjects);
  const { by, active, subjects } = input;
  const version = input.version + 1;
  await ctx.db
    .insertInto('accounting.rule')
    .values({
      company_id: ctx.companyId,
      source: source.name,
      version,
      from_month: firstDay(input.fromMonth),
      active,
      grouping: by,
      subjects: JSON.stringify(subjects),
      created_by_name: ctx.userName,
    })
    .execute();
  await audit(ctx, {
    action: '凭证模板·保存',
    resource: RULE,
    resourceId: source.name,
    ...(kept ? { before: { by: kept.by, active: kept.active, subjects: kept.subjects } } : {}),
    after: { by, active, subjects, version, fromMonth: input.fromMonth },
  });
  return { version };
}
