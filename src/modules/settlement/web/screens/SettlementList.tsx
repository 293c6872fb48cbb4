import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Money, mixedTotal } from '#kit/web/cells/index.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  countSettlements,
  exportSettlements,
  FIGURE_LINES,
  listSettlements,
  SettlementFilter,
  SettlementRow,
} from '../../contract/settlements.ts';
import { useStoreOptions } from '../index.ts';
import { LinesDrawer } from '../LinesDrawer.tsx';
import { PivotDrawer } from '../PivotDrawer.tsx';
import { SettlementCards } from '../SettlementCards.tsx';

const NOTHING = (
  <Empty title="还没有结算记录" text="授权店铺后自动同步，亚马逊约每两周出一次结算；也可以上传结算报告文件。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
    <TabLink to="/amazon/reportUpload" title="上传报表">
      上传结算文件
    </TabLink>
  </Empty>
);

type Sum = keyof typeof SUMS;
const SUMS = { total: '存款总计', lineSum: '行合计' } as const;

/** 结算记录: every settlement with the proof that its lines are its total. */
export default function SettlementList() {
  const tab = useTab();
  const stores = useStoreOptions();
  const [pivot, setPivot] = useState<FilterValue>();
  const [opened, setOpened] = useState<{ row: SettlementRow; key: Sum }>();
  const sum = (key: Sum) => ({
    render: (row: SettlementRow) => (
      <button type="button" className="drill" onClick={() => setOpened({ row, key })}>
        <Money amount={row[key]} currency={row.currency} />
      </button>
    ),
    text: (row: SettlementRow) => row[key],
    total: mixedTotal(key),
  });
  const figure = useMemo(
    () => opened && { title: SUMS[opened.key], amount: opened.row[opened.key], filter: FIGURE_LINES.total },
    [opened],
  );
  const openDetail = (row: SettlementRow) =>
    tab.open('/amazon/payment/detail', { title: `账期 ${row.settlementId}`, query: { id: row.id } });
  return (
    <>
      <ListScreen
        name="settlement/list"
        title="结算记录"
        unit="个账期"
        density="two"
        endpoint={listSettlements}
        exportEndpoint={exportSettlements}
        row={SettlementRow}
        filter={SettlementFilter}
        options={{ stores }}
        tabs={{ field: 'transfer', counts: countSettlements }}
        columns={{
          settlementId: {
            render: (row) => (
              <button type="button" className="link code" onClick={() => openDetail(row)}>
                {row.settlementId}
              </button>
            ),
            text: (row) => row.settlementId,
          },
          total: sum('total'),
          lineSum: sum('lineSum'),
          gap: {
            render: (row) => (
              <span className={`num ${Number(row.gap) === 0 ? 'success' : 'danger'}`}>
                {Number(row.gap).toFixed(2)}
              </span>
            ),
            text: (row) => row.gap,
            total: mixedTotal('gap'),
          },
        }}
        above={(filter) => <SettlementCards filter={filter} onOpen={() => setPivot(filter)} />}
        actions={(row) => [{ label: '查看详情', onClick: () => openDetail(row) }]}
        empty={NOTHING}
        onOpen={openDetail}
        note="双击一行查看账期详情"
        filterExtra={<PivotButton onOpen={setPivot} />}
      />
      <LinesDrawer
        id={opened?.row.id ?? ''}
        settlementId={opened?.row.settlementId ?? ''}
        currency={opened?.row.currency ?? ''}
        figure={figure}
        onClose={() => setOpened(undefined)}
      />
      <PivotDrawer open={pivot !== undefined} onClose={() => setPivot(undefined)} filter={pivot ?? {}} />
    </>
  );
}

/** Opens the sums of every settlement, whatever the filters say. */
function PivotButton({ onOpen }: { onOpen: (filter: FilterValue) => void }) {
  return <Button onClick={() => onOpen({})}>全部汇总</Button>;
}
