import { type ReactNode, useState } from 'react';
import { Integer, Money, Tag } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LABEL_PRINT } from '../../contract/labels.ts';
import { type Terms, termsWords } from '../../contract/terms.ts';
import { countListings, exportListings, ListingFilter, ListingRow, listListings } from '../../contract.ts';
import { ListingDrawer } from '../ListingDrawer.tsx';
import { PrintDialog } from '../labels/PrintDialog.tsx';
import { AdjustDialog } from '../offers/AdjustDialog.tsx';
import { LockDialog, useUnlock } from '../offers/LockDialog.tsx';
import { useSiteOptions } from '../site-options.ts';
import { TermsDialog } from '../terms/TermsDialog.tsx';

const NOTHING = (
  <Empty title="还没有商品" text="授权店铺后自动同步在线商品，也可以上传亚马逊的商品报告。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
  </Empty>
);

function Issues({ row }: { row: ListingRow }) {
  if (row.issueCount === 0) return <span className="text3">—</span>;
  return <Tag tone="trouble" title={`${row.issueCount} 个`} />;
}

/** A value with what was sent for it below, until the marketplace shows that. */
function Value({ now, pending }: { now: ReactNode; pending: ReactNode }) {
  return (
    <span className="offer-value">
      <span>{now}</span>
      {pending !== null && (
        <span className="offer-pending warning" title="已提交，等待亚马逊确认">
          → {pending}
        </span>
      )}
    </span>
  );
}

/** What is offered beside the price, in a cell; most listings have none. */
const shown = (terms: Terms | null, currency: string): string => (terms === null ? '—' : termsWords(terms, currency));

const COLUMNS: ColumnOverrides<ListingRow> = {
  issueCount: { render: (row) => <Issues row={row} />, text: (row) => String(row.issueCount) },
  price: {
    render: ({ price, pendingPrice, currency }) => (
      <Value
        now={price === null ? <span className="text3">—</span> : <Money amount={price} currency={currency} />}
        pending={pendingPrice === null ? null : <Money amount={pendingPrice} currency={currency} />}
      />
    ),
    text: (row) => row.price ?? '',
  },
  salePrice: {
    render: ({ sale, pendingTerms, currency }) => (
      <Value now={shown(sale, currency)} pending={pendingTerms.includes('sale') ? '待确认' : null} />
    ),
    text: ({ sale, currency }) => shown(sale, currency),
  },
  b2bPrice: {
    render: ({ b2b, tiers, pendingTerms, currency }) => (
      <Value
        now={tiers ? `${termsWords(b2b, currency)}（${tiers.tiers?.length ?? 0} 档）` : shown(b2b, currency)}
        pending={pendingTerms.some((kind) => kind !== 'sale') ? '待确认' : null}
      />
    ),
    text: ({ b2b, currency }) => shown(b2b, currency),
  },
  quantity: {
    render: ({ quantity, pendingQuantity }) => (
      <Value
        now={quantity === null ? <span className="text3">—</span> : <Integer value={quantity} />}
        pending={pendingQuantity === null ? null : <Integer value={pendingQuantity} />}
      />
    ),
    text: (row) => String(row.quantity ?? ''),
  },
};

const unfit = (row: ListingRow): string | undefined => {
  if (row.state === 'GONE') return '商品已移除';
  return row.price === null && row.fulfilledBy !== 'MERCHANT' ? '没有售价，库存也不由卖家管理' : undefined;
};

const priceless = (row: ListingRow) => (row.price === null ? '没有售价' : undefined);

const unlabelled = (row: ListingRow) => (row.fnsku === null ? '没有 FNSKU' : undefined);

/** 在线商品: what every store has on sale. */
export default function Products() {
  const [open, setOpen] = useState<string>();
  const sites = useSiteOptions();
  const mayAdjust = useAllowed('amz:price:edit');
  const mayPrint = useAllowed(LABEL_PRINT);
  const [adjusting, setAdjusting] = useState<readonly ListingRow[]>();
  const [locking, setLocking] = useState<readonly ListingRow[]>();
  const [dealing, setDealing] = useState<readonly ListingRow[]>();
  const unlock = useUnlock();
  const [printing, setPrinting] = useState<readonly ListingRow[]>();
  const batch: BatchAction<ListingRow>[] = [
    ...(mayAdjust ? [{ label: '调价 / 改库存', primary: true, unfit, onClick: setAdjusting }] : []),
    ...(mayAdjust ? [{ label: '促销价 / B2B价', unfit: priceless, onClick: setDealing }] : []),
    ...(mayAdjust
      ? [
          { label: '冻结调价', unfit: priceless, onClick: setLocking },
          {
            label: '解除冻结',
            onClick: (rows: ListingRow[]) => unlock.mutate({ body: { ids: rows.map(({ id }) => id) } }),
          },
        ]
      : []),
    ...(mayPrint ? [{ label: '打印标签', unfit: unlabelled, onClick: setPrinting }] : []),
  ];
  return (
    <>
      <ListScreen
        name="listing/products"
        title="在线商品"
        unit="个商品"
        endpoint={listListings}
        exportEndpoint={exportListings}
        row={ListingRow}
        filter={ListingFilter}
        options={{ sites }}
        tabs={{ field: 'state', counts: countListings }}
        columns={COLUMNS}
        batch={batch}
        empty={NOTHING}
        onOpen={(row) => setOpen(row.id)}
        current={open}
      />
      {printing && <PrintDialog ids={printing.map(({ id }) => id)} onClose={() => setPrinting(undefined)} />}
      {dealing && <TermsDialog rows={dealing} onClose={() => setDealing(undefined)} />}
      {locking && <LockDialog rows={locking} onClose={() => setLocking(undefined)} />}
      {adjusting && <AdjustDialog rows={adjusting} onClose={() => setAdjusting(undefined)} />}
      <ListingDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
