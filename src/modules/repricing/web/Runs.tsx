import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Money, Tag, When } from '#kit/web/cells/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { RUN } from '../contract/rules.ts';
import { listRuns, RunFilter, RunRow, revertRuns, runDetail } from '../contract/runs.ts';
import './repricing.css';
import { REFRESHES } from './refreshes.ts';

/** One decision: the offers and limits that it was made from. */
function RunDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, isError, error, refetch } = useCall(runDetail, { params: { id } }, { keep: true });
  const money = (amount: string) => <Money amount={amount} currency={data?.currency ?? ''} />;
  return (
    <DetailDrawer open onClose={onClose} title={data?.sellerSku ?? '决定'} subtitle={data?.ruleName}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <div className="reprice-head">{data.words}</div>
          <Facts title="依据" facts={data.facts} />
          <div className="reprice-head label">
            {data.offersAt === null ? '没有报价' : '当时的报价，截至 '}
            {data.offersAt !== null && <When at={data.offersAt} />}
          </div>
          <LineTable
            label="当时的报价"
            row={MarketOffer}
            rows={data.offers}
            rowId={(one, index) => `${one.sellerId} ${index}`}
            none="没有报价"
            columns={{
              fba: { title: '配送', render: (row) => (row.fba ? 'FBA' : 'FBM') },
              landed: { render: (row) => money(row.landed) },
              price: { render: (row) => money(row.price) },
              shipping: { render: (row) => money(row.shipping) },
              featured: { render: (row) => (row.featured ? <Tag tone="done" title="购物车" /> : '—') },
            }}
          />
        </>
      )}
    </DetailDrawer>
  );
}

/** What a rule decided, and why. */
export function Runs({ ruleId }: { ruleId: string }) {
  const [open, setOpen] = useState<string>();
  const may = useAllowed(RUN);
  const revert = useSend(revertRuns, {
    refreshes: REFRESHES,
    onSuccess: ({ changes }) => notice.success(`已提交恢复 ${changes} 个商品，并暂停其智能调价`),
  });
  return (
    <>
      <ListScreen
        name="repricing/runs"
        title="调价日志"
        unit="条"
        density="dense"
        endpoint={listRuns}
        row={RunRow}
        filter={RunFilter}
        fixed={{ ruleId }}
        current={open}
        onOpen={(row) => setOpen(row.id)}
        {...(may
          ? {
              batch: [
                {
                  label: '恢复原价',
                  unfit: (row: RunRow) => (row.outcome === 'sent' ? undefined : '没有调价，无需恢复'),
                  onClick: (rows: RunRow[]) => revert.mutate({ body: { ids: rows.map(({ id }) => id) } }),
                },
              ],
            }
          : {})}
      />
      {open && <RunDrawer id={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
