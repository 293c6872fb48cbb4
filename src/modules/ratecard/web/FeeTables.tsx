import { Segmented, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { DayPicker } from '#kit/web/form/index.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { COUNTRIES } from '../contract/calculator.ts';
import {
  FulfilmentRow,
  fulfilmentRows,
  ReferralRow,
  referralRows,
  StorageRow,
  SurchargeRow,
  storageRows,
  surchargeRows,
} from '../contract/fee-rows.ts';
import { FeeTier } from '../contract/tiers.ts';
import './ratecard.css';

const TABS = ['配送费', '佣金', '仓储费', '附加费'];
const TIERS = FeeTier.options.map((value) => ({ value, label: FeeTier.meta()?.states?.[value]?.title ?? value }));
const keyOf = ({ key }: { key: string }) => key;

type Country = (typeof COUNTRIES)[number]['country'];

interface Props {
  /** Tabs of modules above, which know of the company's own goods: `show` puts the switch into the head of their own list. */
  more?: readonly { name: string; show: (tabs: ReactNode) => ReactNode }[];
  /** Right of the filters. */
  extra?: (country: Country) => ReactNode;
}

/** FBA费用: the fees that the calculator reckons by, as they are valid on a day. */
export function FeeTables({ more = [], extra }: Props) {
  const [tab, setTab] = useState('配送费');
  const [country, setCountry] = useState<Country>('US');
  const [day, setDay] = useState(lastDays(1).to);
  const [tier, setTier] = useState<FeeTier>();
  const [versions, setVersions] = useState('当日有效');
  const none = '该国家当日没有费率表';
  const tabs = (
    <Segmented aria-label="费用" value={tab} options={[...TABS, ...more.map(({ name }) => name)]} onChange={setTab} />
  );
  const other = more.find(({ name }) => name === tab);
  if (other) return other.show(tabs);
  return (
    <div className="page-list">
      <ListHead title="FBA费用" tabs={tabs} />
      <div className="fee-filters">
        <Select
          aria-label="国家"
          value={country}
          options={COUNTRIES.map(({ country: value, name: label }) => ({ value, label }))}
          onChange={setCountry}
        />
        <div>
          <DayPicker label="生效日期" required value={day} onChange={(next) => next && setDay(next)} />
        </div>
        {tab === '配送费' && (
          <Select
            aria-label="尺寸分段"
            placeholder="尺寸分段"
            allowClear
            value={tier ?? null}
            options={TIERS}
            onChange={(value) => setTier(value ?? undefined)}
          />
        )}
        {tab === '附加费' && (
          <Segmented aria-label="版本" value={versions} options={['当日有效', '全部版本']} onChange={setVersions} />
        )}
        <span className="spring" />
        {extra?.(country)}
      </div>
      <div className="fee-table">
        {tab === '配送费' && (
          <LineTable
            label="配送费"
            row={FulfilmentRow}
            rows={fulfilmentRows(country, day, tier)}
            rowId={keyOf}
            none={none}
          />
        )}
        {tab === '佣金' && (
          <LineTable label="佣金" row={ReferralRow} rows={referralRows(country, day)} rowId={keyOf} none={none} />
        )}
        {tab === '仓储费' && (
          <LineTable label="仓储费" row={StorageRow} rows={storageRows(country, day)} rowId={keyOf} none={none} />
        )}
        {tab === '附加费' && (
          <LineTable
            label="附加费"
            row={SurchargeRow}
            rows={surchargeRows(country, versions === '全部版本' ? undefined : day)}
            rowId={keyOf}
            none="没有已知的附加费"
          />
        )}
      </div>
    </div>
  );
}
