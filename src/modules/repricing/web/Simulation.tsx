import { Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import './repricing.css';
import { SimulatedRow, SimulatedStep, simulateRule } from '../contract/runs.ts';

type Range = '1' | '7' | '30';
const RANGES = [
  { value: '1', label: '近1天' },
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
];

/** 试算: what the rule would have done with the offers of the last days. */
export function Simulation({ ruleId }: { ruleId: string }) {
  const [days, setDays] = useState<Range>('7');
  const { data, isError, error, refetch } = useCall(simulateRule, { body: { ruleId, days } }, { keep: true });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className="reprice-head">
        <Segmented size="small" options={RANGES} value={days} onChange={(value) => setDays(value as Range)} />
        <span className="label">用当时的报价和现在的成本、最低价、最高价重算，最多 100 个商品；不提交任何调价。</span>
      </div>
      <LineTable label="试算结果" row={SimulatedRow} rows={data?.rows} none="没有绑定商品" />
      <LineTable
        label="试算步骤"
        row={SimulatedStep}
        rows={data?.steps}
        rowId={(one, index) => `${one.at} ${index}`}
        none="这段时间不会调价"
      />
    </>
  );
}
