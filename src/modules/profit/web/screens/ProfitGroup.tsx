import '../profit.css';
import { Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { FilterBar } from '#kit/web/list/FilterBar.tsx';
import { filterFields, ListHead, ListScreen } from '#kit/web/list/index.ts';
import { StatusTabs } from '#kit/web/list/ListHead.tsx';
import { useListState } from '#kit/web/list/use-list-state.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useStoreOptions } from '#modules/settlement/web/index.ts';
import { type GroupFilter as Asked, exportGroup, GroupFilter, GroupRow, listGroup } from '../../contract/group.ts';
import { EXPORT, type ProfitFilter, type ProfitRow } from '../../contract/report.ts';
import { BasisSwitch } from '../BasisSwitch.tsx';
import { opening } from '../columns.tsx';
import { CURRENCIES } from '../currencies.ts';
import { Monthly } from '../group/Monthly.tsx';
import { StoreBars } from '../group/StoreBars.tsx';
import { lastMonths } from '../months.ts';
import { type OpenRow, ProfitDrawer } from '../ProfitDrawer.tsx';

const MODES = ['view', 'currency', 'basis'];
const BAR = ['stores', 'date'];
const TABS = { field: 'view', apart: true };
const VIEWS = { store: { title: '店铺利润', tone: 'off' }, monthly: { title: '月度结算', tone: 'off' } } as const;
const MONTHS = 12;
const NOTHING = <Empty title="这段时间没有店铺利润" text="结算与账务交易同步后自动计算；也可以换一个日期范围。" />;

interface Opened {
  at: OpenRow;
  filter: ProfitFilter;
  /** The rows that ↑↓ goes through. */
  rows: readonly ProfitRow[];
}

/** 店铺利润: what every store earned, and all of them month by month as an income statement. */
export default function ProfitGroup() {
  const stores = useStoreOptions();
  const options = useMemo(() => ({ stores }), [stores]);
  const fields = useMemo(() => filterFields(GroupFilter, options), [options]);
  const [defaults] = useState(() => ({ view: 'store', currency: 'CNY', basis: 'BOOKED', date: lastMonths(MONTHS) }));
  const state = useListState(fields, defaults);
  const filter = state.filter as Asked;
  const mayExport = useAllowed(EXPORT);
  const [opened, setOpened] = useState<Opened>();
  const { view: _, ...asked } = filter;
  const openStore = (at: OpenRow) => setOpened({ at, filter: { ...asked, dimension: 'store' }, rows: [at.row] });
  const currency = (
    <Segmented
      size="small"
      aria-label="币种"
      options={CURRENCIES}
      value={filter.currency ?? 'CNY'}
      onChange={(value) => state.setFilter('currency', value)}
    />
  );
  return (
    <>
      {filter.view === 'monthly' ? (
        <div className="page-list">
          <ListHead
            title="店铺利润"
            tabs={
              <StatusTabs
                states={VIEWS}
                counts={undefined}
                apart
                value="monthly"
                onChange={(view) => state.setFilter('view', view)}
              />
            }
          />
          <FilterBar
            fields={fields.filter(({ key }) => BAR.includes(key))}
            state={state}
            onQuery={() => state.change({})}
            extra={
              <>
                <BasisSwitch value={filter.basis} onChange={(value) => state.setFilter('basis', value)} />
                {currency}
              </>
            }
          />
          <Monthly
            state={state}
            onOpen={(at, rows, read) =>
              setOpened({ at, rows, filter: { ...asked, currency: read, dimension: 'month' } })
            }
          />
        </div>
      ) : (
        <ListScreen
          name="profit/group"
          title="店铺利润"
          unit="个店铺"
          density="dense"
          endpoint={listGroup}
          {...(mayExport ? { exportEndpoint: exportGroup } : {})}
          row={GroupRow}
          filter={GroupFilter}
          defaults={defaults}
          modes={MODES}
          options={options}
          tabs={TABS}
          columns={opening(openStore)}
          above={(now) => (
            <StoreBars
              filter={now as Asked}
              onPick={(row) => openStore({ row, tab: 'composition', figure: 'sales' })}
            />
          )}
          onOpen={(row) => openStore({ row, tab: 'composition', figure: 'sales' })}
          current={opened?.at.row.id}
          note="发生口径 · 金额点开可看构成"
          empty={NOTHING}
        />
      )}
      <ProfitDrawer
        open={opened?.at}
        rows={opened?.rows ?? []}
        filter={opened?.filter ?? {}}
        onChange={(at) => setOpened(at && opened ? { ...opened, at } : undefined)}
      />
    </>
  );
}
