import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { labelsPdf, paperFor } from '#kit/server/pdf/label.ts';

/** More labels than that are several rolls. */
const MOST = 5_000;

/**
 * Labels of products in the order of their SKUs, each so many times: barcode or SKU, name, specification.
 * @throws notFound, AppError B0785 beyond 5,000 labels
 */
export async function productLabels(ctx: Ctx, input: { ids: readonly string[]; copies: number }): Promise<FileReply> {
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select(['sku', 'name', 'barcode', 'specification'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...new Set(input.ids)])
    .orderBy('sku')
    .execute();
  if (rows.length === 0) throw notFound('产品不存在或已删除');
  if (rows.length * input.copies > MOST) throw refused(`一次最多打印${MOST}张标签`, 'B0785');
  const labels = rows.flatMap(({ sku, name, barcode, specification }) => {
    const label = { content: barcode ?? sku, title: sku, lines: [name, ...(specification ? [specification] : [])] };
    return Array.from({ length: input.copies }, () => label);
  });
  return new FileReply('SKU标签.pdf', 'application/pdf', labelsPdf(labels, paperFor(labels)), true);
}
