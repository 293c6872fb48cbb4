import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  cancelOffers,
  countOfferChanges,
  listOfferChanges,
  OfferChange,
  OfferFilter,
  revertOffers,
} from '../../contract/offers.ts';
import { ListingDrawer } from '../ListingDrawer.tsx';
import { OfferValue } from '../offers/OfferValue.tsx';
import { useSiteOptions } from '../site-options.ts';

const COLUMNS: ColumnOverrides<OfferChange> = {
  oldValue: {
    render: (row) => <OfferValue of={row} value={row.oldValue} terms={row.oldTerms} />,
    text: (row) => row.oldValue ?? '',
  },
  newValue: {
    render: (row) => <OfferValue of={row} value={row.newValue} terms={row.newTerms} />,
    text: (row) => row.newValue ?? '',
  },
};

const CANNOT_CANCEL = '已经提交给亚马逊或已经结束';
const CANNOT_REVERT = '没有生效的修改不能恢复';

/** 调价队列: every change of a price or quantity, until the marketplace itself shows it. */
export default function PriceQueue() {
  const [open, setOpen] = useState<string>();
  const sites = useSiteOptions();
  const may = useAllowed('amz:price:edit');
  const refreshes = [listOfferChanges, countOfferChanges];
  const cancel = useSend(cancelOffers, { refreshes, onSuccess: ({ count }) => notice.success(`已撤销 ${count} 项`) });
  const revert = useSend(revertOffers, {
    refreshes,
    onSuccess: ({ changes }) => notice.success(`已提交恢复 ${changes} 项`),
  });
  const ids = (rows: readonly OfferChange[]) => ({ body: { ids: rows.map(({ id }) => id) } });
  return (
    <>
      <ListScreen
        name="listing/offers"
        title="调价队列"
        unit="项"
        endpoint={listOfferChanges}
        row={OfferChange}
        filter={OfferFilter}
        options={{ sites }}
        tabs={{ field: 'status', counts: countOfferChanges }}
        columns={COLUMNS}
        current={open}
        onOpen={(row) => setOpen(row.listingId)}
        {...(may
          ? {
              batch: [
                {
                  label: '撤销',
                  unfit: (row: OfferChange) => (row.status === 'queued' ? undefined : CANNOT_CANCEL),
                  onClick: (rows: OfferChange[]) => cancel.mutate(ids(rows)),
                },
                {
                  label: '恢复原值',
                  unfit: (row: OfferChange) =>
                    ['confirmed', 'accepted', 'unconfirmed'].includes(row.status) ? undefined : CANNOT_REVERT,
                  onClick: (rows: OfferChange[]) => revert.mutate(ids(rows)),
                },
              ],
            }
          : {})}
        empty={
          <Empty title="还没有调价" text="在「在线商品」中勾选商品，批量调价或修改自发货库存。">
            <TabLink to="/amazon/listing/products" title="在线商品">
              去在线商品
            </TabLink>
          </Empty>
        }
      />
      <ListingDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
