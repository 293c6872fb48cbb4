import { Button } from 'antd';
import { useState } from 'react';
import { useAllowed } from '#kit/web/session.ts';
import { FeeTables as Tables } from '#modules/ratecard/web/index.ts';
import { ImpactDialog } from '../fee-audit/ImpactDialog.tsx';
import { MeasuredFees } from '../fee-audit/MeasuredFees.tsx';

/** FBA费用: the published fees, and what they mean for the company's own goods as they are measured. */
export default function FeeTables() {
  const maySee = useAllowed('amz:inventory:view');
  const [asked, setAsked] = useState<string>();
  return (
    <>
      <Tables
        {...(maySee
          ? {
              more: [{ name: '实测对比', show: (tabs) => <MeasuredFees tabs={tabs} /> }],
              extra: (country) => <Button onClick={() => setAsked(country)}>影响分析</Button>,
            }
          : {})}
      />
      {asked && <ImpactDialog country={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
