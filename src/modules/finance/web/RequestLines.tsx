import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { openDebts } from '../contract/payables.ts';
import { type Option, useCategoryOptions } from './choices.ts';

/** One line as it is typed. */
export interface DraftLine {
  key: string;
  title: string;
  amount: string;
  payableId: string | null;
  categoryId: string | null;
  remark: string;
}

interface Props {
  lines: readonly DraftLine[];
  onChange: (lines: DraftLine[]) => void;
  /** Lines of an expense have a category, others a debt that they pay. */
  expense: boolean;
  partyId: string | undefined;
  currency: string;
  onAdd: () => void;
}

/** What is open of a debt, and what other requests leave of it. */
const leftWords = ({ open, free }: { open: string; free: string }, currency: string) =>
  open === free
    ? `未付 ${formatMoney(open, currency)}`
    : `未付 ${formatMoney(open, currency)}，可请 ${formatMoney(free, currency)}`;

/** What is asked for, line by line; a debt that is chosen fills its line. */
export function RequestLines({ lines, onChange, expense, partyId, currency, onAdd }: Props) {
  const { data: debts = [] } = useCall(
    openDebts,
    { body: { partyId: partyId ?? '', currency } },
    { enabled: partyId !== undefined && !expense },
  );
  const categories = useCategoryOptions('OUT', expense);
  const put = (key: string, change: Partial<DraftLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  const choose = (line: DraftLine, id: string | undefined) => {
    const debt = debts.find((one) => one.id === id);
    if (!debt) return put(line.key, { payableId: null });
    put(line.key, {
      payableId: debt.id,
      title: line.title || debt.title,
      amount: line.amount || debt.free.replace(/(\.\d\d)\d+$/, '$1'),
    });
  };
  const options: Option[] = expense
    ? categories
    : debts.map((one) => ({
        value: one.id,
        label: `${one.title} ${one.subject}（${leftWords(one, currency)}）`,
      }));
  return (
    <div className="finance-lines">
      <div className="finance-line is-head">
        <span>费用项目 *</span>
        <span>{expense ? '收支项' : '对应应付'}</span>
        <span>金额（{currency}） *</span>
        <span>备注</span>
        <span />
      </div>
      {lines.map((line, index) => (
        <div className="finance-line" key={line.key}>
          <Input
            aria-label={`第${index + 1}行费用项目`}
            value={line.title}
            maxLength={100}
            onChange={(event) => put(line.key, { title: event.target.value })}
          />
          <Select
            aria-label={`第${index + 1}行${expense ? '收支项' : '对应应付'}`}
            value={expense ? line.categoryId : line.payableId}
            options={options}
            allowClear
            placeholder={expense ? '请选择' : '不指定则付关联单据最早的应付'}
            onChange={(value) =>
              expense ? put(line.key, { categoryId: value ?? null }) : choose(line, value ?? undefined)
            }
          />
          <Input
            aria-label={`第${index + 1}行金额`}
            value={line.amount}
            inputMode="decimal"
            onChange={(event) => put(line.key, { amount: event.target.value.trim() })}
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
        <Button icon={<PlusOutlined />} onClick={onAdd}>
          添加一行
        </Button>
      </div>
    </div>
  );
}
