import { useState } from 'react';
import { ListScreen, useView } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { RETURN_REASONS } from '#modules/inventory/contract/events.ts';
import { DISPOSITIONS } from '#modules/inventory/contract/facts.ts';
import { nothingYet, optionsOf } from '#modules/inventory/web/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { EDIT } from '../../contract/fields.ts';
import { ReasonRow, reasons } from '../../contract/reasons.ts';
import { ReturnFilter, ReturnRow, returns } from '../../contract/returns.ts';
import { SkuReturnFilter, SkuReturnRow, skuReturns } from '../../contract/skus.ts';
import { AttributeDialog } from '../AttributeDialog.tsx';
import { ORDER_COLUMN } from '../links.tsx';
import { ReturnCharts } from '../ReturnCharts.tsx';

const TABS = { field: 'view', apart: true };
const MODES = ['view'];
const TITLE = '退货订单';
const CHOICES = {
  reasons: optionsOf(RETURN_REASONS),
  dispositions: optionsOf(DISPOSITIONS).filter(({ value }) => value === value.toUpperCase()),
};

const COLUMNS = { orderId: ORDER_COLUMN };

/** 退货订单: what buyers sent back and who answers for it; how much of each SKU; and why. */
export default function Returns() {
  const sites = useSiteOptions();
  const mayJudge = useAllowed(EDIT);
  const [view, go] = useView('rows');
  const [judging, setJudging] = useState<readonly ReturnRow[]>();
  if (view === 'skus') {
    return (
      <ListScreen
        key="skus"
        name="returns/skus"
        title={TITLE}
        unit="个商品"
        endpoint={skuReturns.list}
        exportEndpoint={skuReturns.export}
        row={SkuReturnRow}
        filter={SkuReturnFilter}
        options={{ sites }}
        tabs={TABS}
        modes={MODES}
        onOpen={(row) => go('rows', { skus: row.product.code })}
        note="未选期间时为最近 30 天；退款按记账日，销量与退货按站点日"
        empty={nothingYet('退货')}
      />
    );
  }
  const list = {
    title: TITLE,
    filter: ReturnFilter,
    options: { ...CHOICES, sites },
    tabs: TABS,
    modes: MODES,
    defaults: { view },
    empty: nothingYet('退货'),
  };
  if (view === 'reasons') {
    return (
      <ListScreen
        {...list}
        key="reasons"
        name="returns/reasons"
        unit="种原因"
        endpoint={reasons.list}
        exportEndpoint={reasons.export}
        row={ReasonRow}
        above={(filter) => (
          <ReturnCharts
            filter={filter}
            onDay={(day) => go('rows', { dates: `${day}~${day}` })}
            onSku={(sku) => go('rows', { skus: sku })}
          />
        )}
        onOpen={(row) => go('rows', { reasons: row.reason })}
      />
    );
  }
  return (
    <>
      <ListScreen
        {...list}
        key="rows"
        name="returns/orders"
        unit="条"
        endpoint={returns.list}
        exportEndpoint={returns.export}
        row={ReturnRow}
        columns={COLUMNS}
        {...(mayJudge
          ? {
              batch: [{ label: '归因', onClick: setJudging }],
              actions: (row: ReturnRow) => [{ label: '归因', onClick: () => setJudging([row]) }],
            }
          : {})}
      />
      {judging && <AttributeDialog rows={judging} onClose={() => setJudging(undefined)} />}
    </>
  );
}
