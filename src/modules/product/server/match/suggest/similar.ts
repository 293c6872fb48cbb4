import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { Nearest } from './nearest.ts';

/** MSKUs, and titles, that a run compares at most, the newest first; the rest waits until those are decided. */
const AT_MOST = 20_000;
/** Where very many names are alike comparing takes long: after so much time a run is content with what it has. */
const LONGEST_MS = 20_000;
/** Texts that are read at once. */
const READ = 20_000;
/** Texts that are compared before other work of the process has its turn. */
const AT_ONCE = 100;

/** The trigrams of texts as numbers, one for each trigram that any of `products` has. */
class Trigrams {
  private readonly numbers = new Map<string, number>();
  get count(): number {
    return this.numbers.size;
  }
  learn(text: string): Int32Array {
    if (text === '') return new Int32Array();
    return Int32Array.from(text.split(','), (trigram) => {
      const known = this.numbers.get(trigram);
      if (known !== undefined) return known;
      this.numbers.set(trigram, this.numbers.size);
      return this.numbers.size - 1;
    });
  }
  /** Those that are known, and how many there are in all. */
  known(text: string): { pieces: Int32Array; size: number } {
    const all = text === '' ? [] : text.split(',');
    return { pieces: Int32Array.from(all.flatMap((one) => this.numbers.get(one) ?? [])), size: all.length };
  }
}

interface Compared {
  text: 'msku' | 'name';
  of: 'sku' | 'name';
}

/**
 * Tables `named` of products and `asked` of texts without a good reason so far, the newest first, both numbered from 1. A
 * product's number is its place by SKU: of two that are equally near the lower one counts.
 */
async function tables(ctx: Ctx, { text, of }: Compared): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.asked, pg_temp.named`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE named ON COMMIT DROP AS
    SELECT (row_number() OVER (ORDER BY sku))::int AS no, id, sku, lower(${sql.ref(of)}) AS text FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND lifecycle <> 'offline' AND kind = 'goods'
       AND length(${sql.ref(of)}) >= 4`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE asked ON COMMIT DROP AS
    SELECT text, (row_number() OVER (ORDER BY newest DESC NULLS LAST, text))::int AS no FROM (
      SELECT lower(${sql.ref(text)}) AS text, max(l.opened_at) AS newest FROM pg_temp.lone AS l
       WHERE NOT EXISTS (SELECT FROM pg_temp.signal AS s WHERE s.account_id = l.account_id
               AND s.marketplace_id = l.marketplace_id AND s.msku = l.msku)
       GROUP BY 1) AS t WHERE length(text) >= 4 ORDER BY no LIMIT ${sql.lit(AT_MOST)}`.execute(ctx.db);
  await sql`ANALYZE pg_temp.named, pg_temp.asked`.execute(ctx.db);
}

/** Trigrams of the texts of a table in the order of their numbers, as PostgreSQL cuts them: none of them holds a comma. */
async function* trigramsOf(ctx: Ctx, table: 'named' | 'asked'): AsyncGenerator<string> {
  for (let from = 0; ; from += READ) {
    const { rows } = await sql<{ trigrams: string }>`
      SELECT array_to_string(show_trgm(text), ',') AS trigrams FROM ${sql.table(`pg_temp.${table}`)}
       WHERE no > ${from} AND no <= ${from} + ${sql.lit(READ)} ORDER BY no`.execute(ctx.db);
    for (const { trigrams } of rows) yield trigrams;
    if (rows.length < READ) return;
  }
}

/** Numbers of asked texts, each with that of a product which is among the two nearest to it. */
async function pairs(ctx: Ctx, least: number): Promise<{ asked: number[]; named: number[] }> {
  const trigrams = new Trigrams();
  const sets: Int32Array[] = [];
  for await (const text of trigramsOf(ctx, 'named')) sets.push(trigrams.learn(text));
  const nearest = new Nearest(sets, trigrams.count);
  const found = { asked: [] as number[], named: [] as number[] };
  const begun = ctx.runtime.clock.now().getTime();
  let no = 0;
  for await (const text of trigramsOf(ctx, 'asked')) {
    no += 1;
    const { pieces, size } = trigrams.known(text);
    for (const index of nearest.of(pieces, size, least)) {
      found.asked.push(no);
      found.named.push(index + 1);
    }
    if (no % AT_ONCE > 0) continue;
    if (ctx.runtime.clock.now().getTime() - begun > LONGEST_MS) break;
    await setImmediate();
  }
  return found;
}

/**
 * What is left without a good reason is compared by trigrams; a product is proposed where it is the nearest by far enough.
 * Under row-level security PostgreSQL uses no trigram index, and one on temporary tables reads the whole list of every
 * trigram that all codes of a company share, for each text anew: the two nearest are found here, and judged there.
 */
async function nearestProducts(
  ctx: Ctx,
  kind: 'similar' | 'title',
  given: Compared & { least: number; base: number; span: number; words: string },
): Promise<void> {
  await tables(ctx, given);
  const found = await pairs(ctx, given.least);
  await sql`SELECT set_config('pg_trgm.similarity_threshold', ${String(given.least)}, true)`.execute(ctx.db);
  await sql`
    INSERT INTO pg_temp.signal
    SELECT l.account_id, l.marketplace_id, l.msku, ARRAY[n.id], jsonb_build_array(jsonb_build_object('productId', n.id, 'qty', 1)),
           (${given.base} + ${given.span} * n.likeness)::int, ${kind}, ${given.words} || ' ' || n.sku || ' 相近（' || round(n.likeness * 100) || '%）'
      FROM (SELECT n.id, n.sku, a.text, similarity(n.text, a.text)::numeric AS likeness
              FROM unnest(${found.asked}::int[], ${found.named}::int[]) AS f(asked, named)
              JOIN pg_temp.asked AS a ON a.no = f.asked
              JOIN pg_temp.named AS n ON n.no = f.named
             WHERE n.text % a.text) AS n
      JOIN pg_temp.lone AS l ON lower(${sql.ref(`l.${given.text}`)}) = n.text`.execute(ctx.db);
}

/** Codes that are much alike, and, where a code says nothing, titles that are. */
export async function fromLikeness(ctx: Ctx): Promise<void> {
  await nearestProducts(ctx, 'similar', {
    text: 'msku',
    of: 'sku',
    least: 0.45,
    base: 40,
    span: 40,
    words: '编码与',
  });
  await nearestProducts(ctx, 'title', { text: 'name', of: 'name', least: 0.4, base: 35, span: 35, words: '标题与' });
}
