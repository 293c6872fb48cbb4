import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Money, Picture, State, Trend } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { listOfferChanges, OfferChange, OfferStatus } from '../contract/offers.ts';
import { type ListingDetail, listingDetail, PriceChange } from '../contract.ts';
import { IssueTable } from './IssueTable.tsx';
import { Overview } from './Overview.tsx';
import { valueText } from './offers/value.ts';
import { OffersTab } from './rivals/OffersTab.tsx';

/** How far the price moved, as a ratio of the old one; null where one of the two is missing. */
function changeOf({ oldPrice, newPrice }: PriceChange): string | null {
  if (oldPrice === null || newPrice === null) return null;
  const whole = ratio(newPrice, oldPrice);
  return whole === null ? null : new Decimal(whole).minus(1).toFixed();
}

function Prices({ listing }: { listing: ListingDetail }) {
  return (
    <LineTable
      label="调价记录"
      row={PriceChange}
      rows={listing.prices}
      none="同步以来售价没有变化"
      columns={{
        newPrice: {
          width: 200,
          render: (row) => (
            <>
              <Money amount={row.newPrice} currency={row.currency} />{' '}
              {changeOf(row) !== null && <Trend change={changeOf(row)} />}
            </>
          ),
        },
      }}
    />
  );
}

const CHANGED = OfferChange.pick({
  createdAt: true,
  kind: true,
  oldValue: true,
  newValue: true,
  oldTerms: true,
  newTerms: true,
  status: true,
  createdBy: true,
  problem: true,
});

/** What people here changed of it, newest first. */
function Changes({ listing }: { listing: ListingDetail }) {
  const { data } = useCall(
    listOfferChanges,
    { body: { pagesize: 50, filter: { listingId: listing.id } } },
    { every: 5_000, staleTime: 0 },
  );
  return (
    <LineTable
      label="修改记录"
      row={CHANGED}
      rows={data?.records ?? []}
      rowId={(row, index) => `${row.createdAt} ${index}`}
      none="没有在这里修改过售价或库存"
      columns={{
        oldValue: {
          render: (row) => valueText({ kind: row.kind, currency: listing.currency }, row.oldValue, row.oldTerms),
        },
        newValue: {
          render: (row) => valueText({ kind: row.kind, currency: listing.currency }, row.newValue, row.newTerms),
        },
        status: { render: (row) => <State value={row.status} states={metaOf(OfferStatus).states} /> },
      }}
    />
  );
}

/** One listing over the list: what it is, what Amazon finds wrong with it, and how its price moved. */
export function ListingDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('overview');
  const mayChanges = useAllowed('amz:price:view');
  const mayEdit = useAllowed('amz:listing:edit');
  const mayAplus = useAllowed('amz:aplus:edit');
  const { data, isError, error, refetch } = useCall(
    listingDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'issues') return <IssueTable issues={data.issues} />;
    if (tab === 'offers') return <OffersTab id={data.id} />;
    if (tab === 'changes') return <Changes listing={data} />;
    return tab === 'prices' ? <Prices listing={data} /> : <Overview listing={data} />;
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.title ?? data?.sellerSku ?? '商品详情'}
      subtitle={data?.sellerSku}
      picture={<Picture src={data?.product.image} size={28} />}
      tabs={[
        { key: 'overview', title: '概况' },
        { key: 'offers', title: '竞争报价' },
        { key: 'issues', title: '问题', ...(data ? { count: data.issues.length } : {}) },
        ...(mayChanges ? [{ key: 'changes', title: '修改记录' }] : []),
        { key: 'prices', title: '调价记录', ...(data ? { count: data.prices.length } : {}) },
      ]}
      tab={tab}
      onTab={setTab}
      {...(data && data.goneAt === null
        ? {
            extra: (
              <>
                {mayAplus && data.asin && (
                  <TabLink
                    to="/amazon/listing/aplus"
                    title="A+内容"
                    query={{ 'f.asin': data.asin, 'f.sites': `${data.marketplaceId}-${data.accountId}` }}
                  >
                    A+
                  </TabLink>
                )}
                {mayEdit && (
                  <TabLink to="/amazon/listing/edit/form" title={data.sellerSku} query={{ listing: data.id }}>
                    编辑Listing
                  </TabLink>
                )}
              </>
            ),
          }
        : {})}
    >
      {body()}
    </DetailDrawer>
  );
}
