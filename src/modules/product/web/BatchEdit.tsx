import { useEffect } from 'react';
import { z } from 'zod';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { COST } from '../contract/fields.ts';
import { batchUpdate, listProducts, type ProductRow } from '../contract/material.ts';
import { DimensionRole } from '../contract/parts.ts';
import { useProductOptions } from './options.ts';

const Size = z.object({
  role: DimensionRole.optional().meta({ title: '尺寸类型' }),
  length: z.string().optional().meta({ title: '长(cm)', kind: 'rate' }),
  width: z.string().optional().meta({ title: '宽(cm)', kind: 'rate' }),
  height: z.string().optional().meta({ title: '高(cm)', kind: 'rate' }),
  weight: z.string().optional().meta({ title: '重量(kg)', kind: 'rate' }),
});
const Form = batchUpdate.body.shape.set.omit({ dimension: true, consumables: true }).extend(Size.shape);

/** 批量编辑: what is filled in is changed in all of them, the rest stays. */
export function BatchEdit({ rows, onClose }: { rows: readonly ProductRow[] | undefined; onClose: () => void }) {
  const form = useForm(Form, {});
  const { reset } = form;
  useEffect(() => {
    if (rows) reset({});
  }, [rows, reset]);
  const { brands = [], categories = [], people = [], tags = [] } = useProductOptions();
  const mayCost = useAllowed(COST);
  return (
    <FormDialog
      title={`批量编辑 ${rows?.length ?? 0} 个产品`}
      open={rows !== undefined}
      form={form}
      okText={`修改 ${rows?.length ?? 0} 个`}
      width={640}
      columns={3}
      fields={{
        ownerId: { options: people },
        purchaserId: { options: people },
        brandId: { options: brands },
        categoryId: { options: categories },
        addTagIds: { options: tags },
        removeTagIds: { options: tags },
        unitCost: { prefix: '¥', hidden: !mayCost },
      }}
      onSubmit={async ({ role, length, width, height, weight, ...set }) => {
        const size = { length: length ?? null, width: width ?? null, height: height ?? null, weight: weight ?? null };
        const dimension = role ? { dimension: { role, ...size, unitsPerCarton: null } } : {};
        const ids = (rows ?? []).map((row) => row.id);
        const body = { ids, set: { ...set, ...dimension } };
        const { changed, problems } = await call(batchUpdate, { body }, { quiet: true, idempotencyKey: uuid() });
        await queryClient.invalidateQueries({ queryKey: cacheKey(listProducts) });
        const [first] = problems;
        if (first)
          notice.error(
            `已修改 ${changed} 个；${first.sku}：${first.reason}${problems.length > 1 ? ` 等 ${problems.length} 处` : ''}`,
          );
        else notice.success(`已修改 ${changed} 个产品`);
      }}
      onClose={onClose}
    >
      <p className="label">留空的项目保持不变。</p>
    </FormDialog>
  );
}
