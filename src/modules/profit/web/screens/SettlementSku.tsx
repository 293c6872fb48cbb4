import '../profit.css';
import { useMemo, useState } from 'react';
import { lastDays } from '#kit/web/last-days.ts';
import { filterFields, ListScreen } from '#kit/web/list/index.ts';
import { useListState } from '#kit/web/list/use-list-state.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { FIGURE_LINES } from '#modules/settlement/contract/settlements.ts';
import { LinesDrawer, useStoreOptions } from '#modules/settlement/web/index.ts';
import { EXPORT } from '../../contract/report.ts';
import {
  exportSettled,
  listSettled,
  SETTLED_ROWS,
  SETTLED_VIEWS,
  SettledFilter,
  type SettledRow,
} from '../../contract/settled.ts';
import { SettledDrawer } from '../SettledDrawer.tsx';
import { SettledProofs } from '../SettledProofs.tsx';
import { SETTLED_COLUMNS } from '../settled-columns.tsx';

const MODES = ['view', 'dateType', 'currency'];
const TABS = { field: 'view', apart: true };
const DAYS = 90;
const NOTHING = <Empty title="这段时间没有账期" text="亚马逊约每两周出一次结算，同步后显示；也可以换一个日期范围。" />;

/** The lines of a row of one settlement in its own currency, which come to what the row says. */
function figureOf({ sku, product, platformNet }: SettledRow) {
  const filter = sku ? { ...FIGURE_LINES.skuNet, sku } : FIGURE_LINES.shopFees;
  return { title: product?.name ?? '', amount: platformNet ?? '0', filter };
}

/** 账期SKU: the money of whole settlements by SKU, with the proof that a settlement is its rows and its balances. */
export default function SettlementSku() {
  const stores = useStoreOptions();
  const options = useMemo(() => ({ stores }), [stores]);
  const fields = useMemo(() => filterFields(SettledFilter, options), [options]);
  const [defaults] = useState(() => ({ view: 'sku', dateType: 'end', currency: 'CNY', date: lastDays(DAYS) }));
  const filter = useListState(fields, defaults).filter as SettledFilter;
  const view = filter.view ?? 'sku';
  const mayExport = useAllowed(EXPORT);
  const maySeeLines = useAllowed('fin:settlement:view');
  const [opened, setOpened] = useState<SettledRow>();
  const [lines, setLines] = useState<SettledRow>();
  const figure = useMemo(() => lines && figureOf(lines), [lines]);
  const open = (row: SettledRow) => {
    // Amounts that were converted are not those of the lines.
    const isOwn = row.documentId !== null && (filter.currency ?? 'ORIGINAL') === 'ORIGINAL';
    if (isOwn && maySeeLines) setLines(row);
    else setOpened(row);
  };
  return (
    <>
      <ListScreen
        name="profit/settled"
        title="账期SKU"
        unit="行"
        endpoint={listSettled}
        {...(mayExport ? { exportEndpoint: exportSettled } : {})}
        row={SETTLED_ROWS[view]}
        filter={SettledFilter}
        defaults={defaults}
        modes={MODES}
        options={options}
        tabs={TABS}
        columns={SETTLED_COLUMNS}
        above={() => <SettledProofs filter={filter} />}
        onOpen={open}
        current={(lines ?? opened)?.id}
        empty={NOTHING}
        note={`${SETTLED_VIEWS[view]} · 按账期整单计算，不分摊店铺费用；双击一行查看明细`}
      />
      {opened && !lines && (
        <SettledDrawer
          filter={filter}
          row={opened}
          onOpen={maySeeLines ? setLines : undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
      <LinesDrawer
        id={lines?.documentId ?? ''}
        settlementId={lines?.settlementId ?? ''}
        currency={lines?.currency ?? ''}
        figure={figure}
        onClose={() => setLines(undefined)}
      />
    </>
  );
}
