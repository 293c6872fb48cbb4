import { Select } from 'antd';
import { useRef, useState } from 'react';
import { cacheKey, call, download, queryClient, upload, useCall, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { type ImportCheck, ImportDialog } from '#kit/web/import/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { warehouseChoices } from '../contract/base.ts';
import {
  adjustExternal,
  bindExternal,
  checkExternal,
  countExternal,
  type ExternalLine,
  type ExternalRow,
  externalTemplate,
  listExternal,
  saveExternal,
} from '../contract/external.ts';

async function refresh(): Promise<void> {
  for (const each of [listExternal, countExternal]) await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
}

interface Checked extends ImportCheck {
  lines: ExternalLine[];
}

async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  const found = await upload(checkExternal, { body: {} }, file, { quiet: true, onProgress });
  return {
    lines: found.lines,
    fileName: file.name,
    total: found.rows,
    ok: found.lines.length,
    problems: found.problems.map(({ line, sku, column, value, reason }) => ({
      line,
      level: 'error' as const,
      message: reason,
      key: sku,
      column,
      value,
    })),
    preview: {
      titles: ['SKU', '可用', '锁定', '在途'],
      rows: found.lines
        .slice(0, 20)
        .map((line) => [line.sku, String(line.available), String(line.locked), String(line.inTransit)]),
    },
    summary: found.lines.length > 0 ? `${found.unknown} 个 SKU 未绑定产品，其余按 SKU 对应` : null,
  };
}

/** The newest list of a third-party warehouse, from a file. */
export function UploadDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [warehouseId, setWarehouseId] = useState<string>();
  const { data } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  const options = (data ?? [])
    .filter((one) => one.kind === 'THIRD_PARTY')
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <ImportDialog<Checked>
      title="上传三方仓库存"
      open={open}
      onClose={onClose}
      check={check}
      commit={({ lines }) =>
        call(saveExternal, { body: { warehouseId: warehouseId ?? '', lines } }, { quiet: true, idempotencyKey: uuid() })
      }
      template={() => download(externalTemplate, {})}
      onDone={() => void refresh()}
      accept=".xlsx,.csv,.txt"
      blocked={warehouseId === undefined ? '请先选择仓库' : undefined}
      note="只更新对方的库存数据，不改变账面；清单里没有的 SKU 会被移除"
    >
      <Select
        aria-label="仓库"
        placeholder="选择第三方海外仓"
        style={{ width: 240 }}
        value={warehouseId ?? null}
        options={options}
        onChange={(id: string | null) => setWarehouseId(id ?? undefined)}
        notFoundContent="还没有第三方海外仓"
      />
    </ImportDialog>
  );
}

const Reason = adjustExternal.body.pick({ reason: true });

/** 校正单 for rows of one warehouse. */
export function AdjustDialog({ rows, onClose }: { rows: readonly ExternalRow[]; onClose: () => void }) {
  const form = useForm(Reason, {});
  const clientId = useRef(uuid());
  const total = (sign: 1 | -1) => rows.reduce((sum, row) => sum + Math.max(0, sign * row.difference), 0);
  return (
    <FormDialog
      title={`生成校正单：${rows.length} 个产品，盘盈 ${total(1)} 件，盘亏 ${total(-1)} 件`}
      open
      form={form}
      okText="校正账面"
      columns={1}
      onSubmit={async ({ reason }) => {
        const productIds = rows.flatMap((row) => row.productId ?? []);
        const body = { clientId: clientId.current, warehouseId: rows[0]?.warehouseId ?? '', productIds, reason };
        const options = { quiet: true, idempotencyKey: clientId.current };
        const { number } = await call(adjustExternal, { body }, options);
        notice.success(`已按校正单 ${number} 调整账面`);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

const Own = bindExternal.body.pick({ ownSku: true });

/** Says which product a SKU of theirs is. */
export function BindDialog({ row, onClose }: { row: ExternalRow; onClose: () => void }) {
  const form = useForm(Own, {});
  return (
    <FormDialog
      title={`绑定 ${row.sku}`}
      open
      form={form}
      okText="绑定"
      columns={1}
      onSubmit={async ({ ownSku }) => {
        const body = { warehouseId: row.warehouseId, sku: row.sku, ownSku };
        await call(bindExternal, { body }, { quiet: true, idempotencyKey: uuid() });
        notice.success(`${row.sku} 已绑定到 ${ownSku}`);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
