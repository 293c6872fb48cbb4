import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type CostStep, costData, costNotes, costSteps } from '../../contract/calls.ts';
import { CostDetailRow, type CostRow, costDocument, EDIT } from '../../contract/document.ts';
import { refreshCosts } from '../refresh.ts';

/** The document that made a cost, as a link to it. */
function Source({ head }: { head: CostRow }) {
  return (
    <TabLink to={head.sourcePath} title={head.source} query={{ id: head.sourceId ?? '' }}>
      {head.source}
    </TabLink>
  );
}

/** One cost of one's own: what it is, who bears it, and what can be done with it now. */
export default function CostDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(costData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: costNotes, id, timeline: data?.timeline, refresh: refetch });
  const head = data?.document;
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(costSteps[name as CostStep], { body }, {});
    notice.success(done.message);
    await refreshCosts();
  };
  return (
    <DocumentScreen
      number={head?.number}
      state={head && costDocument.states[head.state]}
      subject={head && `${head.feeType} · ${head.from === head.to ? head.from : `${head.from} 至 ${head.to}`}`}
      steps={head ? stepsOf(costDocument, ['draft', 'posted'], head.state) : []}
      figures={
        head && [
          { key: 'amount', label: '金额', value: <Money amount={head.amount} currency={head.currency} /> },
          { key: 'cny', label: '折合人民币', value: <Money amount={head.amountCny} currency="CNY" /> },
        ]
      }
      error={error}
      onRetry={() => void refetch()}
      head={
        <Allowed code={EDIT}>
          {head && head.state !== 'reversed' && head.sourceId === null && head.kind === 'SHARE' && (
            <Button data-edit onClick={() => tab.open('/f/c/e', { title: `编辑${head.number}`, query: { id } })}>
              编辑
            </Button>
          )}
        </Allowed>
      }
      tabs={[
        {
          key: 'rows',
          title: '分摊商品',
          ...(data ? { count: data.rows.length } : {}),
          content: (
            <>
              <FactColumns>
                <Facts
                  title="费用"
                  facts={[
                    ...(head?.sourceId ? [{ label: '来源单据', value: <Source head={head} /> }] : []),
                    { label: '备注', value: head?.remark || '—' },
                    { label: '创建人', value: head?.createdByName },
                    { label: '入账人', value: head?.postedByName || '—' },
                  ]}
                />
              </FactColumns>
              <LineTable
                row={CostDetailRow}
                rows={data?.rows}
                rowId={(row) => `${row.storeKey} ${row.sku}`}
                label="分摊商品"
                none="没有分摊商品"
              />
            </>
          ),
        },
        notes.tab,
      ]}
      side={notes.side}
      actions={data?.actions ?? []}
      onAction={run}
    />
  );
}
