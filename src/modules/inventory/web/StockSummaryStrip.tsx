import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { FilterValue } from '#kit/web/list/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { LOW_DAYS, SiteStock, type StockSummary, type StockTab, stockSummary } from '../contract.ts';

interface Props {
  filter: FilterValue;
  onTab: (tab: StockTab) => void;
  onSite: (site: string) => void;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `占 ${((part / whole) * 100).toFixed(1)}%`;
}

function figuresOf(sums: StockSummary, open: { sites: () => void; tab: (tab: StockTab) => void }): Figure[] {
  const pieces = (key: 'fulfillable' | 'inbound' | 'reserved' | 'total', label: string): Figure => ({
    key,
    label,
    value: formatInteger(sums[key]),
    hint: key === 'total' ? `${formatInteger(sums.skus)} 个SKU` : share(sums[key], sums.total),
    onOpen: open.sites,
  });
  return [
    pieces('total', '合计'),
    pieces('fulfillable', '可售'),
    pieces('inbound', '在途'),
    pieces('reserved', '预留'),
    {
      key: 'unsellable',
      label: '不可售',
      value: formatInteger(sums.unsellable),
      hint: share(sums.unsellable, sums.total),
      onOpen: () => open.tab('unsellable'),
    },
    { key: 'out', label: '断货SKU', value: formatInteger(sums.out), onOpen: () => open.tab('out') },
    {
      key: 'low',
      label: '将断货SKU',
      value: formatInteger(sums.low),
      hint: sums.low === null ? '暂无销量数据' : `可售不足 ${LOW_DAYS} 天`,
      ...(sums.low === null ? {} : { onOpen: () => open.tab('low') }),
    },
  ];
}

/** Sums over the filter in use; each opens the sites or the rows that it is made of. */
export function StockSummaryStrip({ filter, onTab, onSite }: Props) {
  const [open, setOpen] = useState(false);
  const { data } = useCall(stockSummary, { body: { filter } }, { keep: true });
  const show = (site: string) => {
    setOpen(false);
    onSite(site);
  };
  return (
    <>
      <FigureLine figures={data && figuresOf(data, { sites: () => setOpen(true), tab: onTab })} />
      <DetailDrawer open={open} onClose={() => setOpen(false)} title="各店铺库存" subtitle="点击一行查看其 SKU">
        <LineTable
          label="各店铺库存"
          row={SiteStock}
          rows={data?.sites}
          rowId={(row) => row.site}
          {...(data ? { totals: data } : {})}
          onOpen={(row) => show(row.site)}
        />
      </DetailDrawer>
    </>
  );
}
