import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT } from '#modules/publish/contract/draft.ts';
import { useEditMany } from '#modules/publish/web/index.ts';
import { refreshWall } from '../../contract/care.ts';
import { exportWall, listWall, WallFilter, WallRow } from '../../contract/wall.ts';
import { CareDialog, useCare, useCareOptions, WeightsDialog } from '../care.tsx';
import { COLUMNS } from '../columns.tsx';
import { TrendDrawer } from '../TrendDrawer.tsx';

const NOTHING = (
  <Empty title="还没有商品" text="授权店铺后自动同步在线商品，随后汇总销量、流量、广告、库存与利润。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
  </Empty>
);

/** What is done to listings is done to one at a time, not to an ASIN as a whole. */
const unfit = (row: WallRow) => (row.sellerSku === null ? '请按 MSKU 查看后再修改' : undefined);

/** 商品分析: sales, visits, ads, stock and profit of every listing in one table. */
export default function Listings() {
  const [open, setOpen] = useState<string>();
  const [editing, setEditing] = useState<WallRow[]>();
  const [weighing, setWeighing] = useState(false);
  const sites = useSiteOptions();
  const { people, tags } = useCareOptions();
  const options = useMemo(() => ({ sites, owners: people ?? [], tags: tags ?? [] }), [sites, people, tags]);
  const mayEdit = useAllowed('amz:analysis:edit');
  const mayExport = useAllowed('amz:analysis:export');
  const mayPublish = useAllowed(EDIT);
  const care = useCare();
  const edit = useEditMany();
  const again = useSend(refreshWall, { onSuccess: () => notice.success('已开始重新计算，稍后刷新查看') });
  const hide = (rows: readonly WallRow[], hidden: boolean) =>
    care.mutate({ body: { ids: rows.map((row) => row.id), set: { hidden } } });
  const batch: BatchAction<WallRow>[] = [
    { label: '负责人 / 标签 / 备注', primary: true, unfit, onClick: setEditing },
    {
      label: '隐藏',
      unfit: (row) => unfit(row) ?? (row.hidden ? '商品已隐藏' : undefined),
      onClick: (rows) => hide(rows, true),
    },
    {
      label: '显示',
      unfit: (row) => unfit(row) ?? (row.hidden ? undefined : '商品没有隐藏'),
      onClick: (rows) => hide(rows, false),
    },
    ...(mayPublish
      ? [
          {
            label: '批量编辑Listing',
            unfit,
            onClick: (rows: WallRow[]) => edit.mutate({ body: { listingIds: rows.map(({ id }) => id) } }),
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="analysis/listings"
        title="商品分析"
        unit="行"
        endpoint={listWall}
        {...(mayExport ? { exportEndpoint: exportWall } : {})}
        row={WallRow}
        filter={WallFilter}
        modes={['view']}
        options={options}
        columns={COLUMNS}
        {...(mayEdit
          ? {
              batch,
              head: (
                <>
                  <Button loading={again.isPending} onClick={() => again.mutate({ body: {} })}>
                    重新计算
                  </Button>
                  <Button onClick={() => setWeighing(true)}>日均权重</Button>
                </>
              ),
            }
          : {})}
        empty={NOTHING}
        onOpen={(row) => row.sellerSku !== null && setOpen(row.id)}
        current={open}
      />
      <CareDialog rows={editing} onClose={() => setEditing(undefined)} />
      <WeightsDialog open={weighing} onClose={() => setWeighing(false)} />
      <TrendDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
