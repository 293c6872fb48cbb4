import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT } from '../contract/fields.ts';
import { countMatches, listMatches } from '../contract/match.ts';
import {
  acceptSuggestions,
  countSuggestions,
  findSuggestions,
  listSuggestions,
  rejectSuggestions,
  reopenSuggestions,
  SURE,
  SuggestFilter,
  SuggestRow,
} from '../contract/match-suggest.ts';
import { PartsCell } from './PartsCell.tsx';
import { SuggestDialog } from './SuggestDialog.tsx';

const COLUMNS: ColumnOverrides<SuggestRow> = {
  partsText: { render: (row) => <PartsCell parts={row.parts} text={row.partsText} />, text: (row) => row.partsText },
};
const DECIDED = '已经处理';
const DEFAULTS = { state: 'open' };
const isSure = (row: SuggestRow) => row.state === 'open' && row.score >= SURE;

/** 待配对建议: what listings without a pairing probably are; the sure ones are ticked, and nothing happens without a press. */
export function SuggestList({ head }: { head: ReactNode }) {
  const [row, setRow] = useState<SuggestRow>();
  const sites = useSiteOptions();
  const may = useAllowed(EDIT);
  const refreshes = [listSuggestions, countSuggestions, listMatches, countMatches];
  const accept = useSend(acceptSuggestions, {
    refreshes,
    onSuccess: ({ accepted, skipped }) =>
      notice.success(`已采纳 ${accepted} 条${skipped > 0 ? `，${skipped} 个商品已有配对，保持不变` : ''}`),
  });
  const reject = useSend(rejectSuggestions, {
    refreshes,
    onSuccess: ({ rejected }) => notice.success(`已拒绝 ${rejected} 条，不会再次建议`),
  });
  const reopen = useSend(reopenSuggestions, {
    refreshes,
    onSuccess: ({ reopened }) => notice.success(`已恢复 ${reopened} 条`),
  });
  const find = useSend(findSuggestions, {
    onSuccess: () => {
      notice.success('正在后台计算配对建议，结果见右上角任务');
      refreshTasks();
    },
  });
  const takeAll = (rows: readonly SuggestRow[]) => accept.mutate({ body: { items: rows.map(({ id }) => ({ id })) } });
  const ids = (rows: readonly SuggestRow[]) => ({ body: { ids: rows.map(({ id }) => id) } });
  const unfit = (one: SuggestRow) => (one.state === 'open' ? undefined : DECIDED);
  const actions = (one: SuggestRow): RowAction[] => {
    if (one.state === 'rejected') return [{ label: '恢复', onClick: () => reopen.mutate(ids([one])) }];
    if (one.state !== 'open') return [];
    return [
      { label: '采纳', onClick: () => takeAll([one]) },
      { label: '修改', edits: true, onClick: () => setRow(one) },
      { label: '拒绝', danger: true, onClick: () => reject.mutate(ids([one])) },
    ];
  };
  const again = (
    <Button loading={find.isPending} onClick={() => find.mutate({ body: {} })}>
      重新计算
    </Button>
  );
  return (
    <>
      <ListScreen
        name="product/matchSuggestions"
        title="SKU配对"
        unit="条建议"
        endpoint={listSuggestions}
        row={SuggestRow}
        filter={SuggestFilter}
        defaults={DEFAULTS}
        options={{ sites }}
        tabs={{ field: 'state', counts: countSuggestions }}
        columns={COLUMNS}
        preticked={isSure}
        {...(may
          ? {
              actions,
              actionsWidth: 148,
              batch: [
                { label: '采纳', primary: true, unfit, onClick: takeAll },
                { label: '拒绝', unfit, onClick: (rows: SuggestRow[]) => reject.mutate(ids(rows)) },
              ],
            }
          : {})}
        empty={<Empty title="没有配对建议" text="每晚会为未配对的商品计算建议，也可以现在计算。" />}
        head={
          <>
            {head}
            {may && again}
          </>
        }
      />
      <SuggestDialog row={row} onClose={() => setRow(undefined)} />
    </>
  );
}
