import { Select } from 'antd';
import { useEffect } from 'react';
import { z } from 'zod';
import { cacheKey, call, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, type FormOption, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  addLocations,
  LocationBatch,
  LocationForm,
  type LocationRow,
  listLocations,
  locationTree,
  mergeLocation,
  modifyLocation,
} from '../contract/base.ts';

async function refresh(): Promise<void> {
  for (const each of [listLocations, locationTree]) await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
}

/** Makes locations by ranges of 区, 架, 层 and 格. */
export function BatchDialog(props: { open: boolean; warehouses: readonly FormOption[]; onClose: () => void }) {
  const { open, warehouses, onClose } = props;
  const form = useForm(LocationBatch, { type: 'STORAGE' });
  const { reset } = form;
  const first = warehouses[0]?.value;
  useEffect(() => {
    if (open) reset({ type: 'STORAGE', warehouseId: first, area: 'A', rack: '1-4', shelf: '1-3', bin: '1-4' });
  }, [open, reset, first]);
  return (
    <FormDialog
      title="批量生成库位"
      open={open}
      form={form}
      okText="生成"
      fields={{
        warehouseId: { options: warehouses },
        area: { help: '例如 A-C' },
        rack: { help: '例如 1-20' },
        shelf: { help: '例如 1-4' },
        bin: { help: '编码为 区-架-层-格' },
      }}
      onSubmit={async (body) => {
        const { made, known } = await call(addLocations, { body }, { quiet: true, idempotencyKey: uuid() });
        notice.success(`生成 ${made} 个库位${known > 0 ? `，${known} 个已存在` : ''}`);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

const Merge = z.object({ into: mergeLocation.body.shape.into });

/** Moves everything that lies in one location into another one of its warehouse. */
export function MergeDialog({ row, onClose }: { row: LocationRow | undefined; onClose: () => void }) {
  const form = useForm(Merge, {});
  const { reset } = form;
  const { data } = useCall(
    locationTree,
    { query: { warehouseId: row?.warehouseId ?? '' } },
    { enabled: row !== undefined },
  );
  useEffect(() => {
    if (row) reset({});
  }, [row, reset]);
  const targets = (data ?? [])
    .filter((node) => node.type !== 'AREA' && node.id !== row?.id)
    .map((node) => ({ value: node.id, label: node.code }));
  return (
    <FormDialog
      title={row ? `合并库位 ${row.code}（${row.qty} 件）` : '合并库位'}
      open={row !== undefined}
      form={form}
      okText="合并"
      columns={1}
      fields={{
        into: {
          help: '库存移到目标库位，原库位随后删除',
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              showSearch={{ optionFilterProp: 'label' }}
              value={typeof value === 'string' ? value : undefined}
              onChange={onChange}
              options={targets}
              style={{ width: '100%' }}
            />
          ),
        },
      }}
      onSubmit={async ({ into }) => {
        const body = { from: row?.id ?? '', into };
        const { moved } = await call(mergeLocation, { body }, { quiet: true, idempotencyKey: uuid() });
        notice.success(`已移动 ${moved} 件`);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

/** The sides that a row shows as 「60×40×30」, in cm. */
function sidesOf(size: string | null): { lengthCm?: number; widthCm?: number; heightCm?: number } {
  const [lengthCm, widthCm, heightCm] = (size ?? '').split('×').map(Number);
  return lengthCm && widthCm && heightCm ? { lengthCm, widthCm, heightCm } : {};
}

/** Changes what a location is for, its size and its place in the picker's way. */
export function LocationDialog({ row, onClose }: { row: LocationRow | undefined; onClose: () => void }) {
  const form = useForm(LocationForm, {});
  const { reset } = form;
  useEffect(() => {
    const type = LocationForm.shape.type.safeParse(row?.type).data;
    if (row) reset({ ...(type ? { type } : {}), pickSequence: row.pickSequence, ...sidesOf(row.size) });
  }, [row, reset]);
  return (
    <FormDialog
      title={row ? `修改库位 ${row.code}` : '修改库位'}
      open={row !== undefined}
      form={form}
      okText="保存"
      fields={{ pickSequence: { help: '小的先拣' }, heightCm: { help: '三边都填才计算已用%' } }}
      onSubmit={async (values) => {
        const body = { id: row?.id ?? '', ...values };
        await call(modifyLocation, { body }, { quiet: true, idempotencyKey: uuid() });
        notice.success('库位已保存');
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
