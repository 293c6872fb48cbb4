import { Modal, Select } from 'antd';
import { useState } from 'react';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { DayPicker } from '#kit/web/form/index.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { COUNTRIES } from '#modules/ratecard/contract/calculator.ts';
import { CARDS } from '#modules/ratecard/contract/card.ts';
import { FeeImpactRow, feeImpact, IMPACT_ROWS } from '../../contract/fee-impact.ts';
import './fee-audit.css';

type Country = (typeof COUNTRIES)[number]['country'];

/** The day before the newest card of a country began, and that on which it did: what most want to compare. */
function newestChange(country: string): { from: string; to: string } {
  const today = lastDays(1).to;
  const cards = CARDS.filter((card) => card.country === country).toSorted((a, b) => (a.from < b.from ? 1 : -1));
  return { from: cards[1]?.from ?? today, to: cards[0]?.from ?? today };
}

/** 影响分析: which listings of a country pay another fee by the cards of two days, and what that makes in a month. */
export function ImpactDialog({ country: first, onClose }: { country: string; onClose: () => void }) {
  const [country, setCountry] = useState<Country>(COUNTRIES.find((one) => one.country === first)?.country ?? 'US');
  const [days, setDays] = useState(() => newestChange(first));
  const { data, isError, error, refetch } = useCall(feeImpact, { body: { country, ...days } }, { keep: true });
  const change = (next: Country) => {
    setCountry(next);
    setDays(newestChange(next));
  };
  return (
    <Modal title="影响分析" open width={1180} footer={null} onCancel={onClose}>
      <div className="impact-bar">
        <Select
          aria-label="分析国家"
          value={country}
          options={COUNTRIES.map(({ country: value, name: label }) => ({ value, label }))}
          onChange={change}
        />
        <div>
          <DayPicker
            label="原日期"
            required
            value={days.from}
            onChange={(from) => from && setDays((old) => ({ ...old, from }))}
          />
        </div>
        <span>→</span>
        <div>
          <DayPicker
            label="新日期"
            required
            value={days.to}
            onChange={(to) => to && setDays((old) => ({ ...old, to }))}
          />
        </div>
      </div>
      {data && (
        <p className="impact-note" role="status">
          {`比较 ${formatInteger(data.compared)} 个商品，${formatInteger(data.changed)} 个费用变化`}
          {data.changed > 0 && data.sum !== null && `，合计每月 ${formatMoney(data.sum, data.currency)}`}
          {data.unknown > 0 && `；${formatInteger(data.unknown)} 个无法计算（服装、缺尺寸或当日无费率卡）`}
          {data.changed > IMPACT_ROWS && `；只列金额最大的 ${IMPACT_ROWS} 个`}
        </p>
      )}
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="impact-rows">
          <LineTable
            label="费用变化"
            row={FeeImpactRow}
            rows={data?.rows}
            none={data?.compared === 0 ? '该国家还没有可以比较的商品' : '两个日期的费用没有变化'}
          />
        </div>
      )}
    </Modal>
  );
}
