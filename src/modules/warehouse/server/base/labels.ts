import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { labelsPdf } from '#kit/server/pdf/label.ts';

/** QR labels of locations; a scanner reads "LOC.<id>". */
export async function locationLabelsPdf(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  const rows = await ctx.db
    .selectFrom('warehouse.location as l')
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'l.company_id').onRef('w.id', '=', 'l.warehouse_id'),
    )
    .select(['l.id', 'l.code', 'l.path', 'w.name'])
    .where('l.company_id', '=', ctx.companyId)
    .where('l.id', 'in', ids)
    .orderBy('l.pick_sequence')
    .orderBy('l.path')
    .execute();
  if (rows.length === 0) throw notFound('库位不存在或已删除');
  const labels = rows.map((row) => ({ content: `LOC.${row.id}`, title: row.code, lines: [row.name, row.path] }));
  return new FileReply('库位标签.pdf', 'application/pdf', labelsPdf(labels), true);
}
