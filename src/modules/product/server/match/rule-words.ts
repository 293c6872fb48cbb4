import { sql } from 'kysely';
import { refused } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { RuleForm } from '../../contract/match-rules.ts';
import type { Rule } from './rules.ts';

/** Each site with what its country is called at the end of an MSKU. */
const COUNTRIES = sql`unnest(${MARKETPLACES.map((one) => one.id)}::text[],
  ${MARKETPLACES.map(({ country }) => (country === 'UK' ? '(?:UK|GB)' : country))}::text[])`;

/**
 * Why a pattern cannot be used, or undefined. The database matches it, whose engine needs no backtracking as long as a
 * pattern does not refer to what it found before or look around.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return '请填写正则';
  if (pattern.length > 100) return '正则不能超过100个字符';
  if (/\\[1-9]|\(\?|\[\[|\*\*\*/.test(pattern)) return '正则不支持反向引用、环视等写法';
  if (/\{\d{3,}|\{\d+,\d{3,}/.test(pattern)) return '正则的重复次数不能超过99';
  try {
    new RegExp(pattern);
    return undefined;
  } catch {
    return '正则格式有误';
  }
}

/** What stands for groups in a replacement, as the database writes them. */
export function replacementOf(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(/\$(\d)/g, '\\$1');
}

/**
 * What a text with {SKU}, * and ? means as a pattern: {SKU} is the SKU and stands in it once, * any text, ? one sign.
 * @throws AppError B0766 without {SKU}, or with two of them
 */
export function wildcardPattern(text: string): string {
  const pieces = text.split('{SKU}');
  if (pieces.length !== 2) throw refused('通配符须含且只含一个 {SKU}', 'B0766');
  const literal = (piece: string) =>
    piece
      .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
  return pieces.map(literal).join('(.+)');
}

/** @throws AppError B0763 nothing to take off, B0764 a pattern that cannot be used, B0766 a text without {SKU} */
export function requireRule(rule: RuleForm): void {
  if (rule.way === 'wildcard') wildcardPattern(rule.pattern);
  if (rule.way === 'head' && rule.pattern.length !== 1) throw refused('分隔符须为一个字符', 'B0767');
  if (rule.way === 'affix' && rule.prefix === '' && rule.suffix === '') throw refused('请填写前缀或后缀', 'B0763');
  const problem = rule.way === 'regex' ? patternProblem(rule.pattern) : undefined;
  if (problem) throw refused(problem, 'B0764');
}

/** The SKU that a rule makes of an MSKU, as SQL over `l.seller_sku`; NULL where it does not apply. */
export function skuBy(rule: Pick<Rule, 'way' | 'prefix' | 'suffix' | 'pattern' | 'replacement'>) {
  if (rule.way === 'exact') return sql<string | null>`l.seller_sku`;
  if (rule.way === 'affix') {
    const { prefix, suffix } = rule;
    return sql<
      string | null
    >`CASE WHEN starts_with(l.seller_sku, ${prefix}) AND right(l.seller_sku, length(${suffix}::text)) = ${suffix}
        AND length(l.seller_sku) > length(${prefix}::text) + length(${suffix}::text)
      THEN substr(l.seller_sku, length(${prefix}::text) + 1, length(l.seller_sku) - length(${prefix}::text) - length(${suffix}::text)) END`;
  }
  if (rule.way === 'country') {
    return sql<
      string | null
    >`(SELECT CASE WHEN l.seller_sku ~* s.tail THEN regexp_replace(l.seller_sku, s.tail, '', 'i') END
      FROM (SELECT '(?<=.)[-_. ]' || c.names || '$' AS tail FROM ${COUNTRIES} AS c(id, names) WHERE c.id = l.marketplace_id) AS s)`;
  }
  if (rule.way === 'head') {
    return sql<
      string | null
    >`CASE WHEN strpos(l.seller_sku, ${rule.pattern}) > 1 THEN split_part(l.seller_sku, ${rule.pattern}, 1) END`;
  }
  const pattern = rule.way === 'wildcard' ? wildcardPattern(rule.pattern) : rule.pattern;
  const whole = `^(?:${pattern})$`;
  // The pattern as a whole is the group that a replacement without one takes.
  const put = rule.way === 'wildcard' || rule.replacement === '' ? '\\1' : replacementOf(rule.replacement);
  return sql<string | null>`CASE WHEN l.seller_sku ~ ${whole} THEN regexp_replace(l.seller_sku, ${whole}, ${put}) END`;
}
