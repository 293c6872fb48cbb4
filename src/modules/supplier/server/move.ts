import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type DocumentRow, transition } from '#kit/server/document.ts';
import { type SupplierState, supplierDocument } from '../contract.ts';

const kind: DocumentKind<DocumentRow> = {
  def: supplierDocument,
  table: 'supplier.supplier',
  load: (ctx, id) =>
    ctx.db
      .selectFrom('supplier.supplier')
      .select(['id', 'state', 'version'])
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .executeTakeFirst(),
};

/** Puts a supplier into use, out of use, on the black list or off it. */
export async function move(
  ctx: Ctx,
  input: { id: string; action: string; reason?: string | undefined; version?: number | undefined },
): Promise<{ state: SupplierState }> {
  const { id, action, reason, version } = input;
  return { state: (await transition(ctx, kind, id, action, { reason, version })) as SupplierState };
}
