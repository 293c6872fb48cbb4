import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import type { Scope } from '../contract/document.ts';
import { useDepartmentOptions } from './choices.ts';
import { type DraftShare, draftShare } from './draft.ts';

interface Props {
  scope: Exclude<Scope, 'COMPANY'>;
  shares: readonly DraftShare[];
  currency: string;
  /** Amounts are typed, else percentages. */
  byAmount: boolean;
  onChange: (shares: DraftShare[]) => void;
}

const KINDS = { DEPARTMENT: 'is-department', STORE: 'is-store', SKU: 'is-sku' } as const;

/** 归属明细: who bears it, row by row, by amounts or by percentages. */
export function ShareRows({ scope, shares, currency, byAmount, onChange }: Props) {
  const sites = useSiteOptions();
  const departments = useDepartmentOptions();
  const kind = `expense-row ${KINDS[scope]}`;
  const put = (key: string, change: Partial<DraftShare>) =>
    onChange(shares.map((share) => (share.key === key ? { ...share, ...change } : share)));
  const ofStores = scope !== 'DEPARTMENT';
  return (
    <div className="expense-rows">
      <div className={`${kind} is-head`}>
        <span>{ofStores ? '店铺 *' : '部门 *'}</span>
        {scope === 'SKU' && <span>SKU *</span>}
        <span>比例（%）</span>
        <span>分摊金额（{currency}） *</span>
        <span />
      </div>
      {shares.map((share, index) => (
        <div className={kind} key={share.key}>
          <Select
            aria-label={`第${index + 1}行${ofStores ? '店铺' : '部门'}`}
            showSearch={{ optionFilterProp: 'label' }}
            value={(ofStores ? share.store : share.departmentId) || null}
            options={ofStores ? (sites ?? []) : departments}
            placeholder="请选择"
            onChange={(value: string | null) =>
              put(share.key, ofStores ? { store: value ?? '' } : { departmentId: value ?? '' })
            }
          />
          {scope === 'SKU' && (
            <Input
              aria-label={`第${index + 1}行SKU`}
              value={share.sku}
              maxLength={100}
              onChange={(event) => put(share.key, { sku: event.target.value.trim() })}
            />
          )}
          <Input
            aria-label={`第${index + 1}行比例`}
            value={share.percent}
            inputMode="decimal"
            disabled={byAmount}
            onChange={(event) => put(share.key, { percent: event.target.value.trim() })}
          />
          <Input
            aria-label={`第${index + 1}行分摊金额`}
            value={share.amount}
            inputMode="decimal"
            disabled={!byAmount}
            onChange={(event) => put(share.key, { amount: event.target.value.trim() })}
          />
          <button
            type="button"
            className="icon-button is-small"
            aria-label={`删除归属第${index + 1}行`}
            disabled={shares.length === 1}
            onClick={() => onChange(shares.filter((each) => each.key !== share.key))}
          >
            <DeleteOutlined />
          </button>
        </div>
      ))}
      <div>
        <Button icon={<PlusOutlined />} onClick={() => onChange([...shares, draftShare()])}>
          添加归属
        </Button>
      </div>
    </div>
  );
}
