import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type SettlementCard, summarySettlements } from '../contract/settlements.ts';

type Amount = 'settled' | 'open' | 'deferred' | 'released' | 'total' | 'failed';

const TITLES: Record<Amount, string> = {
  settled: '已结算金额',
  open: '未结算金额',
  deferred: '其中递延',
  released: '其中待结',
  total: '总金额',
  failed: '转账失败金额',
};

/** The largest currency as the figure, the others as its hint: sums of different currencies are not added up. */
function figureOf(cards: readonly SettlementCard[], key: Amount, onOpen: () => void): Figure {
  const [first, ...others] = cards;
  const rest = others.map((card) => formatMoney(card[key], card.currency)).join(' · ');
  return {
    key,
    label: TITLES[key],
    value: first ? <Money amount={first[key]} currency={first.currency} /> : '—',
    ...(rest ? { hint: <span title={rest}>{rest}</span> } : {}),
    onOpen,
  };
}

/** What is settled and what Amazon still holds, under the filters in use. */
export function SettlementCards({ filter, onOpen }: { filter: FilterValue; onOpen: () => void }) {
  const tab = useTab();
  const { data } = useCall(summarySettlements, { body: { filter } }, { keep: true });
  const keys = Object.keys(TITLES) as Amount[];
  const stores = Array.isArray(filter.stores) ? filter.stores.map(String) : undefined;
  const open = (state?: string) =>
    tab.open('/amazon/report/open', { title: '未结算明细', query: { 'f.state': state, 'f.stores': stores } });
  const opens: Partial<Record<Amount, () => void>> = {
    open: () => open(),
    deferred: () => open('deferred'),
    released: () => open('released'),
  };
  return <FigureLine figures={data && keys.map((key) => figureOf(data.cards, key, opens[key] ?? onOpen))} />;
}
