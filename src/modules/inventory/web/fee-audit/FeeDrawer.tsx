import { useState } from 'react';
import { formatMoney, NOT_APPLICABLE } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import { fbaClaim } from '../../contract/claims.ts';
import { type FeeAuditRow, FeeGap } from '../../contract/fee-audit.ts';
import { FeeCharged, FeeClaim, FeeMeasured, feeAuditDetail } from '../../contract/fee-charged.ts';

const TIERS = FeeTier.meta()?.states ?? {};
const GAPS = FeeGap.meta()?.states ?? {};
const CLAIMS: ColumnOverrides<FeeClaim> = {
  number: {
    render: ({ id, number }) => (
      <TabLink to={fbaClaim.detail} title={number} query={{ id }}>
        {number}
      </TabLink>
    ),
    text: ({ number }) => number,
  },
};

type Row = Partial<FeeAuditRow>;

/** An amount of the row; nothing for those who may not see amounts. */
const money = (row: Row, value: string | null | undefined): string =>
  value == null ? NOT_APPLICABLE : formatMoney(value, row.currency ?? '');

function Measurements({ row }: { row: Row }) {
  const kg = (value: string | null | undefined) => (value == null ? NOT_APPLICABLE : `${value} kg`);
  return (
    <FactColumns>
      <Facts
        title="自测"
        facts={[
          { label: '尺寸(cm)', value: row.ownSides ?? NOT_APPLICABLE },
          { label: '重量', value: kg(row.ownWeight) },
          { label: '计费重', value: kg(row.ownBillable) },
          { label: '尺寸分段', value: row.ownTier ? (TIERS[row.ownTier]?.title ?? row.ownTier) : NOT_APPLICABLE },
          { label: 'FBA费', value: money(row, row.ownFee), strong: true },
          { label: '费率卡', value: row.card ? `亚马逊公布的配送费率 ${row.card} 起` : NOT_APPLICABLE },
        ]}
      />
      <Facts
        title="亚马逊"
        facts={[
          { label: '尺寸(cm)', value: row.amazonSides ?? NOT_APPLICABLE },
          { label: '重量', value: kg(row.amazonWeight) },
          { label: '该测量起', value: row.measuredSince ?? NOT_APPLICABLE },
          { label: '尺寸分段', value: row.amazonTier || NOT_APPLICABLE },
          { label: 'FBA费', value: money(row, row.amazonFee), strong: true },
          { label: '按其测量试算', value: money(row, row.cardFee) },
        ]}
      />
      <Facts
        title="比较"
        facts={[
          { label: '差额', value: money(row, row.diff), strong: true },
          { label: '容差', value: money(row, row.tolerance) },
          { label: '月预计超收', value: money(row, row.monthly) },
          { label: '近30天实收每件', value: money(row, row.charged) },
          { label: '实收 − 预估', value: money(row, row.chargedDiff) },
        ]}
      />
    </FactColumns>
  );
}

interface Props {
  row: FeeAuditRow | undefined;
  onClose: () => void;
}

/** One SKU of FBA费用: both measurements with the card that they are charged by, what was charged, and what was claimed. */
export function FeeDrawer({ row, onClose }: Props) {
  const [tab, setTab] = useState('measured');
  const { data, error, refetch } = useCall(
    feeAuditDetail,
    { query: { id: row?.id ?? '' } },
    { enabled: row !== undefined },
  );
  const gap = data?.row.gap;
  const body = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (tab === 'charged') {
      return <LineTable label="实收配送费" row={FeeCharged} rows={data?.charged} none="近一年没有实收的配送费" />;
    }
    if (tab === 'claims') {
      return <LineTable label="索赔" row={FeeClaim} rows={data?.claims} columns={CLAIMS} none="没有申请过复测" />;
    }
    return (
      <>
        {gap && <Banner>无法比较：{GAPS[gap]?.title ?? gap}</Banner>}
        {data && <Measurements row={data.row} />}
        <LineTable label="亚马逊测量的变化" row={FeeMeasured} rows={data?.measured} none="报告没有给出测量" />
      </>
    );
  };
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row?.product.code}
      subtitle={row && `${row.store.name} ${row.store.country}`}
      tabs={[
        { key: 'measured', title: '测量与费率' },
        { key: 'charged', title: '实收' },
        { key: 'claims', title: '索赔', ...(data ? { count: data.claims.length } : {}) },
      ]}
      tab={tab}
      onTab={setTab}
    >
      {body()}
    </DetailDrawer>
  );
}
