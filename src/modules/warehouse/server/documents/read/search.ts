import { sql } from 'kysely';
import type { SearchProvider } from '#modules/system/server/index.ts';
import type { StockKind } from '../core/load.ts';
import { warehouses } from '../core/places.ts';

/** Sorts behind every character that a number may hold. */
const LAST = '\u{10ffff}';

interface Found {
  id: string;
  kind: string;
  number: string;
  state: string;
  warehouse: string;
  day: string;
}

/** Documents of the warehouse by the beginning of their number. */
export function documentSearch(kinds: readonly StockKind[]): SearchProvider {
  return {
    title: '仓库单据',
    icon: 'document',
    permission: 'erp:inv:view',
    async search(ctx, text, limit) {
      const start = text.trim().toUpperCase();
      const { rows } = await sql<Found>`
        SELECT id, kind, number, state, warehouse_id AS warehouse, kit.day(created_at) AS day
          FROM warehouse.document
         WHERE company_id = ${ctx.companyId} AND number >= ${start} AND number < ${start + LAST}
         ORDER BY number DESC LIMIT ${limit}`.execute(ctx.db);
      if (rows.length === 0) return [];
      const names = await warehouses(ctx);
      return rows.flatMap((row) => {
        const def = kinds.find((kind) => kind.name === row.kind)?.def;
        if (!def) return [];
        return [
          {
            title: row.number,
            subtitle: def.title,
            image: null,
            tag: def.states[row.state] ?? { title: row.state, tone: 'off' as const },
            facts: [
              { label: '仓库', value: names.get(row.warehouse)?.name ?? '—' },
              { label: '日期', value: row.day },
            ],
            path: def.detail,
            query: { id: row.id },
            tabTitle: row.number,
          },
        ];
      });
    },
  };
}
