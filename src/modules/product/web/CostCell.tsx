import { EditOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { useSend } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { type CostRow, countCosts, listCosts, saveCost, UnitCost } from '../contract.ts';

/** The cost of a SKU with a pen at rest; Enter saves, Esc gives up. The cost that holds today is corrected. */
export function CostCell({ row }: { row: CostRow }) {
  const may = useAllowed('fin:cost:edit');
  const [text, setText] = useState<string | null>(null);
  const save = useSend(saveCost, { refreshes: [listCosts, countCosts], onSuccess: () => setText(null) });
  const shown =
    row.unitCost === null ? <span className="warning">未维护</span> : <Money amount={row.unitCost} currency="CNY" />;
  if (!may) return shown;
  if (text === null) {
    return (
      <button
        type="button"
        className="cost-pen"
        data-edit
        aria-label={`修改 ${row.sku} 的采购单价`}
        onClick={(event) => {
          event.stopPropagation();
          setText(row.unitCost === null ? '' : plainDecimal(row.unitCost));
        }}
      >
        {shown}
        <EditOutlined />
      </button>
    );
  }
  const valid = UnitCost.safeParse(text).success;
  const onKeyDown = (event: KeyboardEvent) => {
    // The grid must not take the keys of whoever types.
    event.stopPropagation();
    if (event.key === 'Escape') setText(null);
    if (event.key === 'Enter' && valid) save.mutate({ body: { sku: row.sku, unitCost: text.trim() } });
  };
  return (
    <Input
      size="small"
      autoFocus
      value={text}
      status={text === '' || valid ? '' : 'error'}
      title={valid || text === '' ? 'Enter 保存，Esc 取消' : '请输入大于 0 的金额，最多 4 位小数'}
      aria-label="采购单价"
      disabled={save.isPending}
      prefix="¥"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => setText(null)}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
