import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { MappingOptions, OrderListMapping } from '../../contract/uploads.ts';
import { headerKey } from '../files/headers.ts';
import { ORDER_FIELDS, suggestMapping } from '../files/index.ts';

export interface KnownMapping {
  mapping: OrderListMapping;
  options: MappingOptions;
  /** It comes from an earlier file with the same headers. */
  remembered: boolean;
}

/** What two files of the same form have in common: their header words in order, whatever the spelling of blanks. */
export function fingerprintOf(headers: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('hex');
}

/** Columns that the file really has; an earlier file may have spelt a header a little differently. */
function fitted(mapping: OrderListMapping, headers: readonly string[]): OrderListMapping {
  const byKey = new Map(headers.map((name) => [headerKey(name), name]));
  return Object.fromEntries(
    ORDER_FIELDS.flatMap((field) => {
      const name = mapping[field];
      const found = name ? byKey.get(headerKey(name)) : undefined;
      return found === undefined ? [] : [[field, found]];
    }),
  );
}

/** The mapping remembered for these headers, else a proposal from the header words. */
export async function mappingFor(ctx: Ctx, headers: readonly string[]): Promise<KnownMapping> {
  const row = await ctx.db
    .selectFrom('marketplace.column_mapping')
    .select(['mapping', 'options'])
    .where('company_id', '=', ctx.companyId)
    .where('fingerprint', '=', fingerprintOf(headers))
    .executeTakeFirst();
  if (!row) return { mapping: suggestMapping(headers), options: {}, remembered: false };
  return {
    mapping: fitted(row.mapping as OrderListMapping, headers),
    options: row.options as MappingOptions,
    remembered: true,
  };
}

/** Keeps a mapping for the next file with these headers. */
export async function rememberMapping(
  ctx: Ctx,
  headers: readonly string[],
  mapping: OrderListMapping,
  options: MappingOptions,
): Promise<void> {
  await ctx.db
    .insertInto('marketplace.column_mapping')
    .values({
      company_id: ctx.companyId,
      fingerprint: fingerprintOf(headers),
      mapping: JSON.stringify(mapping),
      options: JSON.stringify(options),
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'fingerprint']).doUpdateSet((eb) => ({
        mapping: eb.ref('excluded.mapping'),
        options: eb.ref('excluded.options'),
        updated_at: sql<string>`kit.now()`,
      })),
    )
    .execute();
}
