import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { codesOf, localProducts, productByCode } from '#modules/product/server/index.ts';
import type { ScanKind, scanResolve } from '../../contract/scan.ts';
import { SCAN_KINDS } from './pack.ts';
import { picksOf } from './picks.ts';

type Meaning = Reply<typeof scanResolve>;

async function locationOf(ctx: Ctx, text: string, warehouse: string): Promise<Meaning | undefined> {
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT id, code FROM warehouse.location
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse} AND type <> 'AREA'
       AND (id::text = ${text.toLowerCase()} OR upper(code) = ${text.toUpperCase()}) LIMIT 1`.execute(ctx.db);
  return rows[0] && { means: 'location', ...rows[0] };
}

async function documentOf(ctx: Ctx, text: string): Promise<Meaning | undefined> {
  const { rows } = await sql<{ id: string; kind: ScanKind; number: string }>`
    SELECT id, kind, number FROM warehouse.document
     WHERE company_id = ${ctx.companyId} AND (id::text = ${text.toLowerCase()} OR number = ${text.toUpperCase()})
       AND kind = ANY (${Object.keys(SCAN_KINDS)}::text[]) LIMIT 1`.execute(ctx.db);
  return rows[0] && { means: 'document', ...rows[0] };
}

/** A document of another module: by the code on its papers, else by its number. */
async function othersOf(ctx: Ctx, text: string, prefix?: string): Promise<Meaning | undefined> {
  for (const one of picksOf(ctx)) {
    if (prefix !== undefined && one.prefix !== prefix) continue;
    const found = await one.find(ctx, text);
    if (found) return { means: 'document', kind: one.kind, ...found };
  }
  return undefined;
}

/** A box: it stands for its document (BX.<number>-<box>), or another module packs it (BX.<number>.<box>). */
async function boxOf(ctx: Ctx, text: string): Promise<Meaning | undefined> {
  const own = await documentOf(ctx, text.replace(/-\d+$/, ''));
  if (own) return own;
  for (const one of picksOf(ctx)) {
    const found = await one.box?.(ctx, text);
    if (found) return { means: 'page', ...found };
  }
  return undefined;
}

async function productOf(ctx: Ctx, text: string): Promise<Meaning | undefined> {
  const id = await productByCode(ctx, text);
  const found = id === undefined ? undefined : (await localProducts(ctx, [id])).get(id);
  if (!found) return undefined;
  const codes = (await codesOf(ctx, [found.id])).get(found.id) ?? [];
  return { means: 'product', id: found.id, product: found.cell, codes };
}

/** What a code means in a warehouse: prefixes of our own labels first, then a place, a product, a document. */
export async function resolve(ctx: Ctx, code: string, warehouse: string): Promise<Meaning> {
  const [, prefix, rest = ''] = /^(LOC|DOC|BX|PS)\.(.+)$/i.exec(code) ?? [];
  const nothing: Meaning = { means: 'nothing' };
  if (prefix?.toUpperCase() === 'LOC') return (await locationOf(ctx, rest, warehouse)) ?? nothing;
  if (prefix?.toUpperCase() === 'BX') return (await boxOf(ctx, rest)) ?? nothing;
  if (prefix?.toUpperCase() === 'DOC') return (await documentOf(ctx, rest)) ?? nothing;
  if (prefix?.toUpperCase() === 'PS') return (await othersOf(ctx, rest, 'PS')) ?? nothing;
  return (
    (await locationOf(ctx, code, warehouse)) ??
    (await productOf(ctx, code)) ??
    (await documentOf(ctx, code)) ??
    (await othersOf(ctx, code)) ??
    nothing
  );
}
