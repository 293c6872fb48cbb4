import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, InputNumber, Select } from 'antd';
import type { FeePer } from '../../contract/transport/fields.ts';
import { FeePer as FeePers } from '../../contract/transport/fields.ts';

export interface TierDraft {
  from: string | null;
  to: string | null;
  price: string | null;
}
export interface FeeDraft {
  name: string;
  amount: string | null;
  per: FeePer;
}

const PER = Object.entries(FeePers.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));
const lineKey = (index: number) => `line ${index}`;

interface NumberProps {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

function Figure({ label, value, onChange }: NumberProps) {
  return (
    <InputNumber<string>
      size="small"
      stringMode
      controls={false}
      aria-label={label}
      placeholder={label}
      style={{ width: 110 }}
      value={value}
      onChange={(next) => onChange(next === '' ? null : next)}
    />
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="icon-button is-small" aria-label={label} onClick={onClick}>
      <DeleteOutlined />
    </button>
  );
}

/** 阶梯: from, to and the price of one unit, from the lowest up. */
export function TierLines({
  unit,
  tiers,
  onChange,
}: {
  unit: string;
  tiers: TierDraft[];
  onChange: (next: TierDraft[]) => void;
}) {
  const put = (index: number, more: Partial<TierDraft>) =>
    onChange(tiers.map((one, at) => (at === index ? { ...one, ...more } : one)));
  return (
    <div className="trans-lines">
      <span className="field-label">阶梯（{unit}，起止都含；止留空为以上）</span>
      {tiers.map((tier, index) => (
        <div key={lineKey(index)} className="trans-line">
          <Figure label="起" value={tier.from} onChange={(from) => put(index, { from })} />
          <Figure label="止" value={tier.to} onChange={(to) => put(index, { to })} />
          <Figure label={`单价/${unit}`} value={tier.price} onChange={(price) => put(index, { price })} />
          <Remove label={`删除第 ${index + 1} 档`} onClick={() => onChange(tiers.filter((_, at) => at !== index))} />
        </div>
      ))}
      <Button
        size="small"
        icon={<PlusOutlined />}
        onClick={() => onChange([...tiers, { from: null, to: null, price: null }])}
      >
        添加一档
      </Button>
    </div>
  );
}

/** 固定费用: what is charged once or for each box. */
export function FeeLines({ fees, onChange }: { fees: FeeDraft[]; onChange: (next: FeeDraft[]) => void }) {
  const put = (index: number, more: Partial<FeeDraft>) =>
    onChange(fees.map((one, at) => (at === index ? { ...one, ...more } : one)));
  return (
    <div className="trans-lines">
      <span className="field-label">固定费用（可不填）</span>
      {fees.map((fee, index) => (
        <div key={lineKey(index)} className="trans-line">
          <Input
            size="small"
            aria-label="费用名称"
            placeholder="费用名称，如 报关费"
            style={{ width: 228 }}
            maxLength={30}
            value={fee.name}
            onChange={(event) => put(index, { name: event.target.value })}
          />
          <Figure label="金额" value={fee.amount} onChange={(amount) => put(index, { amount })} />
          <Select
            size="small"
            aria-label="计收方式"
            style={{ width: 84 }}
            value={fee.per}
            options={PER}
            onChange={(per) => put(index, { per })}
          />
          <Remove label={`删除费用 ${index + 1}`} onClick={() => onChange(fees.filter((_, at) => at !== index))} />
        </div>
      ))}
      <Button
        size="small"
        icon={<PlusOutlined />}
        onClick={() => onChange([...fees, { name: '', amount: null, per: 'SHIPMENT' }])}
      >
        添加费用
      </Button>
    </div>
  );
}
