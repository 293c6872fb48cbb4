import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { Money, mixedTotal } from '#kit/web/cells/index.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  BalanceFilter,
  BalanceRow,
  checkBalance,
  countBalances,
  exportBalances,
  listBalances,
} from '../../contract/balances.ts';
import { FIGURE_LINES } from '../../contract/settlements.ts';
import { useStoreOptions } from '../index.ts';
import { LinesDrawer } from '../LinesDrawer.tsx';

const NOTHING = <Empty title="还没有账期余额" text="授权店铺后每天读取一次亚马逊的账期余额，并与账面核对。" />;

const isZero = (amount: string) => !/[1-9]/.test(amount);

/** 余额核对: what Amazon says of each period against what our lines of it come to. */
export default function Balances() {
  const tab = useTab();
  const stores = useStoreOptions();
  const mayCheck = useAllowed('fin:settlement:run');
  const [opened, setOpened] = useState<BalanceRow>();
  const check = useSend(checkBalance, {
    refreshes: [listBalances, countBalances],
    onSuccess: ({ verdict }) => {
      if (verdict === 'differs') notice.error('核对完成：仍有差异');
      else notice.success('核对完成');
    },
  });
  const figure = useMemo(
    () => opened && { title: '账面合计', amount: opened.ours ?? '0', filter: FIGURE_LINES.total },
    [opened],
  );
  const openMoney = (query: Record<string, string | undefined>) =>
    tab.open('/amazon/report/open', { title: '未结算明细', query });
  const openLines = (row: BalanceRow) => {
    if (row.state === 'open') openMoney({ 'f.state': 'released', 'f.group': row.groupId });
    else setOpened(row);
  };
  const drill = (row: BalanceRow, amount: string | null, onOpen: (row: BalanceRow) => void) =>
    amount === null ? (
      '—'
    ) : (
      <button type="button" className="drill" onClick={() => onOpen(row)}>
        <Money amount={amount} currency={row.currency} />
      </button>
    );
  const actions = (row: BalanceRow): RowAction[] => [
    ...(mayCheck ? [{ label: '重新核对', onClick: () => check.mutate({ params: { id: row.id } }) }] : []),
    ...(row.reason === 'noFile'
      ? [{ label: '上传结算文件', onClick: () => tab.open('/amazon/reportUpload', { title: '上传报表' }) }]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="settlement/balances"
        title="余额核对"
        unit="个账期"
        endpoint={listBalances}
        exportEndpoint={exportBalances}
        row={BalanceRow}
        filter={BalanceFilter}
        options={{ stores }}
        tabs={{ field: 'verdict', counts: countBalances }}
        columns={{
          total: { total: mixedTotal('total') },
          ours: {
            render: (row) => drill(row, row.settlementDoc || row.state === 'open' ? row.ours : null, openLines),
            text: (row) => row.ours ?? '',
            total: mixedTotal('ours'),
          },
          difference: {
            render: (row) =>
              row.difference === null ? (
                '—'
              ) : (
                <span className={isZero(row.difference) ? 'success' : row.verdict === 'differs' ? 'danger' : ''}>
                  <Money amount={row.difference} currency={row.currency} />
                </span>
              ),
            text: (row) => row.difference ?? '',
            total: mixedTotal('difference'),
          },
          deferred: {
            render: (row) =>
              drill(row, row.deferred, ({ storeKey, currency }) =>
                openMoney({ 'f.state': 'deferred', 'f.stores': storeKey ?? undefined, 'f.currency': currency }),
              ),
            text: (row) => row.deferred ?? '',
          },
          settlementId: {
            render: (row) =>
              row.settlementDoc && row.settlementId ? (
                <TabLink
                  to="/amazon/payment/detail"
                  title={`账期 ${row.settlementId}`}
                  query={{ id: row.settlementDoc }}
                >
                  {row.settlementId}
                </TabLink>
              ) : (
                '—'
              ),
            text: (row) => row.settlementId ?? '',
          },
        }}
        actions={actions}
        empty={NOTHING}
        note="差额 = 亚马逊总额 − 账面合计"
      />
      <LinesDrawer
        id={opened?.settlementDoc ?? ''}
        settlementId={opened?.settlementId ?? ''}
        currency={opened?.currency ?? ''}
        figure={figure}
        onClose={() => setOpened(undefined)}
      />
    </>
  );
}
