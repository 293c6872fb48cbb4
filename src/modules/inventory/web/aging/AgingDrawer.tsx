import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Stacks } from '#kit/web/charts/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { AgingLayer, AgingMonth, type AgingPlan, agingForecast, RateTier } from '../../contract/aging.ts';
import { NOTHING, WishBar } from './WishBar.tsx';
import './aging.css';

const TIERS = RateTier.meta()?.states ?? {};

const costs = (title: string, plan: AgingPlan, currency: string) => (
  <Facts
    title={title}
    money
    facts={[
      { label: '6个月附加费', value: formatMoney(plan.surcharge, currency) },
      { label: '6个月仓储费', value: formatMoney(plan.storage, currency) },
      ...(plan.removal === null ? [] : [{ label: '移除费', value: formatMoney(plan.removal, currency) }]),
      { label: '合计', value: formatMoney(plan.total, currency), strong: true },
    ]}
  />
);

function Chart({ plan, currency }: { plan: AgingPlan; currency: string }) {
  return (
    <Stacks
      label="未来6个月费用，数据见下表"
      labels={plan.months.map(({ day }) => day.slice(0, 7))}
      measure={{ kind: 'money', currency }}
      height={200}
      stacks={[
        { name: '月度仓储费', values: plan.months.map((month) => month.storage) },
        { name: '超龄附加费', values: plan.months.map((month) => month.surcharge), tone: 'bad' },
      ]}
    />
  );
}

/** One product over the list: what lying there will cost, and what it would cost if something were done. */
export function AgingDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('months');
  const [wish, setWish] = useState(NOTHING);
  const { data, isError, error, refetch } = useCall(
    agingForecast,
    { body: { id: id ?? '', ...wish } },
    { enabled: id !== undefined, keep: true },
  );
  const close = () => {
    setWish(NOTHING);
    onClose();
  };
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    const shown = data.plan ?? data.hold;
    if (tab === 'layers') {
      return (
        <LineTable
          label="入库批次"
          row={AgingLayer}
          rows={data.layers}
          rowId={({ day }, at) => `${day} ${at}`}
          none="没有可售库存"
        />
      );
    }
    return (
      <>
        {data.missing.length > 0 && <Banner>费用不完整：{data.missing.join('；')}</Banner>}
        <FactColumns>
          <Facts
            title="依据"
            facts={[
              { label: '日均发货', value: data.perDay },
              { label: '单件体积', value: data.volume === null ? '—' : `${data.volume} ft³` },
              { label: '尺寸', value: TIERS[data.tier]?.title ?? data.tier },
              { label: '服饰鞋包珠宝', value: data.exempt ? '是，部分档位免收' : '否' },
            ]}
          />
          {costs('持有不动', data.hold, data.currency)}
          {data.plan && costs('按下列操作', data.plan, data.currency)}
        </FactColumns>
        <div className="drawer-section">
          <WishBar perDay={data.perDay} onReckon={setWish} />
          <Chart plan={shown} currency={data.currency} />
        </div>
        <LineTable
          label="未来6个月"
          row={AgingMonth}
          rows={shown.months}
          rowId={({ day }) => day}
          none="没有可售库存"
        />
      </>
    );
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={close}
      title={data?.product ?? '库龄费用'}
      subtitle="先进先出；不含在途货物"
      tabs={[
        { key: 'months', title: '费用测算' },
        { key: 'layers', title: '入库批次', ...(data ? { count: data.layers.length } : {}) },
      ]}
      tab={tab}
      onTab={setTab}
    >
      {body()}
    </DetailDrawer>
  );
}
