import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { useTypeOptions } from './choices.ts';
import { type DraftLine, draftLine } from './draft.ts';

interface Props {
  lines: readonly DraftLine[];
  currency: string;
  onChange: (lines: DraftLine[]) => void;
}

/** 费用明细: what the money was for, line by line. */
export function ExpenseLines({ lines, currency, onChange }: Props) {
  const types = useTypeOptions();
  const put = (key: string, change: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  return (
    <div className="expense-rows">
      <div className="expense-row is-line is-head">
        <span>费用类型 *</span>
        <span>金额（{currency}） *</span>
        <span>其中税额</span>
        <span>备注</span>
        <span />
      </div>
      {lines.map((line, index) => (
        <div className="expense-row is-line" key={line.key}>
          <Select
            aria-label={`第${index + 1}行费用类型`}
            showSearch={{ optionFilterProp: 'label' }}
            value={line.feeType || null}
            options={types}
            placeholder="请选择"
            onChange={(feeType) => put(line.key, { feeType: feeType ?? '' })}
          />
          <Input
            aria-label={`第${index + 1}行金额`}
            value={line.amount}
            inputMode="decimal"
            onChange={(event) => put(line.key, { amount: event.target.value.trim() })}
          />
          <Input
            aria-label={`第${index + 1}行税额`}
            value={line.tax}
            inputMode="decimal"
            onChange={(event) => put(line.key, { tax: event.target.value.trim() })}
          />
          <Input
            aria-label={`第${index + 1}行备注`}
            value={line.remark}
            maxLength={200}
            onChange={(event) => put(line.key, { remark: event.target.value })}
          />
          <button
            type="button"
            className="icon-button is-small"
            aria-label={`删除第${index + 1}行`}
            disabled={lines.length === 1}
            onClick={() => onChange(lines.filter((each) => each.key !== line.key))}
          >
            <DeleteOutlined />
          </button>
        </div>
      ))}
      <div>
        <Button icon={<PlusOutlined />} onClick={() => onChange([...lines, draftLine()])}>
          添加一行
        </Button>
      </div>
    </div>
  );
}
