import '../product.css';
import { Button, Modal, Segmented } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT, EXPORT, IMPORT } from '../../contract/fields.ts';
import {
  countMatches,
  deleteMatches,
  exportMatches,
  listMatches,
  MatchFilter,
  MatchRow,
  matchHistory,
} from '../../contract/match.ts';
import { AutoMatch } from '../AutoMatch.tsx';
import { InheritDialog } from '../InheritDialog.tsx';
import { MatchDialog } from '../MatchDialog.tsx';
import { PartsCell, UnitsCell } from '../PartsCell.tsx';
import { SuggestList } from '../SuggestList.tsx';
import { TableImport } from '../TableImport.tsx';

type Part = 'matches' | 'suggestions';

/** SKU配对: which local products the listings of the marketplaces are, and what those without a pairing probably are. */
export default function MatchList() {
  const [part, setPart] = useState<Part>('matches');
  const parts = (
    <Segmented
      value={part}
      onChange={setPart}
      options={[
        { value: 'matches' as const, label: '配对' },
        { value: 'suggestions' as const, label: '待配对建议' },
      ]}
    />
  );
  return part === 'matches' ? <Pairings head={parts} /> : <SuggestList head={parts} />;
}

function Pairings({ head }: { head: ReactNode }) {
  const [rows, setRows] = useState<readonly MatchRow[]>();
  const [heirs, setHeirs] = useState<readonly MatchRow[]>();
  const [open, setOpen] = useState<'auto' | 'import'>();
  const sites = useSiteOptions();
  const may = useAllowed(EDIT);
  const mayExport = useAllowed(EXPORT);
  const columns = useMemo<ColumnOverrides<MatchRow>>(
    () => ({
      partsText: {
        render: (row) => <PartsCell parts={row.parts} text={row.partsText} />,
        text: (row) => row.partsText,
      },
      units: { render: (row) => <UnitsCell row={row} may={may} />, text: (row) => String(row.units ?? '') },
    }),
    [may],
  );
  const remove = useSend(deleteMatches, {
    refreshes: [listMatches, countMatches, matchHistory],
    onSuccess: ({ removed }) => notice.success(`已解除 ${removed} 个配对`),
  });
  const ask = (some: readonly MatchRow[]) =>
    Modal.confirm({
      title: `解除 ${some.length} 个配对`,
      content: '解除后按同名的本地 SKU 计算；没有同名的则为未配对。相关利润会重新计算。',
      okText: '解除',
      okButtonProps: { danger: true },
      onOk: () => remove.mutateAsync({ body: { matchIds: some.flatMap((row) => row.matchId ?? []) } }),
    });
  const actions = (row: MatchRow): RowAction[] => [
    { label: row.state === 'unmatched' ? '配对' : '修改', edits: true, onClick: () => setRows([row]) },
    ...(row.state === 'unmatched' ? [] : [{ label: '继承到其他站点', onClick: () => setHeirs([row]) }]),
    ...(row.matchId ? [{ label: '解除', danger: true, onClick: () => ask([row]) }] : []),
  ];
  return (
    <>
      <ListScreen
        name="product/match"
        title="SKU配对"
        unit="个商品"
        endpoint={listMatches}
        {...(mayExport ? { exportEndpoint: exportMatches } : {})}
        row={MatchRow}
        filter={MatchFilter}
        options={{ sites }}
        columns={columns}
        tabs={{ field: 'state', counts: countMatches }}
        {...(may
          ? {
              actions,
              batch: [
                { label: '批量配对', primary: true, onClick: setRows },
                {
                  label: '继承到其他站点',
                  unfit: (row: MatchRow) => (row.state === 'unmatched' ? '还没有配对' : undefined),
                  onClick: setHeirs,
                },
                { label: '解除配对', unfit: (row: MatchRow) => (row.matchId ? undefined : '没有配对'), onClick: ask },
              ],
            }
          : {})}
        empty={<Empty title="还没有在线商品" text="授权店铺并同步商品后，在这里配对本地 SKU。" />}
        head={
          <>
            {head}
            <Allowed code={IMPORT}>
              <Button onClick={() => setOpen('import')}>导入</Button>
            </Allowed>
            <Allowed code={EDIT}>
              <Button type="primary" onClick={() => setOpen('auto')}>
                自动配对
              </Button>
            </Allowed>
          </>
        }
      />
      <MatchDialog rows={rows} onClose={() => setRows(undefined)} />
      <InheritDialog rows={heirs} onClose={() => setHeirs(undefined)} />
      <AutoMatch open={open === 'auto'} onClose={() => setOpen(undefined)} />
      <TableImport open={open === 'import'} kinds={['skuMatch']} onClose={() => setOpen(undefined)} />
    </>
  );
}
