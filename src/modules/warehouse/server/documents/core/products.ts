import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { StockDocument } from './load.ts';

/** Steps that post more than once in one transaction. */
const SEVERAL: readonly string[] = [
  'warehouse.transfer approve',
  'warehouse.transfer direct',
  'warehouse.transfer cancel',
  'warehouse.exchange approve',
  'warehouse.overseas approve',
  'warehouse.overseas cancel',
];
/** Beyond so many products a document has all of the company's to itself: the server keeps a few thousand locks. */
const MANY = 100;

function postsSeveral(doc: StockDocument, name: string): boolean {
  return name === 'reverse' || SEVERAL.includes(`warehouse.${doc.kind} ${name}`);
}

/**
 * A posting locks its balances in one order, so two postings never wait for each other in a circle; a step that posts
 * several times could. Such a step has its products to itself, all others share them. Held until the transaction ends;
 * taken in one order, after the document's row and before any posting.
 */
export async function shareProducts(ctx: Ctx, doc: StockDocument, name: string): Promise<void> {
  const products = new Set(doc.lines.flatMap((line) => [line.product, ...(line.toProduct ? [line.toProduct] : [])]));
  if (doc.product) products.add(doc.product);
  const several = postsSeveral(doc, name);
  const all = products.size > MANY;
  const take = (alone: boolean) => sql.raw(alone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`SELECT ${take(all)}(hashtextextended(${`warehouse.products:${ctx.companyId}`}, 0))`.execute(ctx.db);
  if (all) return;
  await sql`
    SELECT ${take(several)}(key) FROM (
      SELECT DISTINCT hashtextextended('warehouse.product:' || p, 0) AS key FROM unnest(${[...products]}::text[]) AS p ORDER BY 1
    ) AS sorted`.execute(ctx.db);
}

/**
 * Has one product of the company to itself until the transaction ends: for a step of several documents that posts once for
 * each. Taken after the documents' rows and before any posting.
 */
export async function ownProduct(ctx: Ctx, product: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`warehouse.products:${ctx.companyId}`}, 0))`.execute(
    ctx.db,
  );
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`warehouse.product:${product}`}, 0))`.execute(ctx.db);
}
