import type { Reply } from '#kit/contract/endpoint.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { mixedOf } from '#kit/contract/totals.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { summarySettlements } from '../contract/settlements.ts';

type Summary = Reply<typeof summarySettlements>;
type Amount = 'settled' | 'open' | 'deferred' | 'released' | 'total' | 'failed';

const TITLES: Record<Amount, string> = {
  settled: '已结算金额',
  open: '未结算金额',
  deferred: '其中递延',
  released: '其中待结',
  total: '总金额',
  failed: '转账失败金额',
};

/** One amount; with several currencies their sum at today's rates, and as its hint one each, or what has no rate. */
function figureOf({ cards, totals }: Summary, key: Amount, onOpen: () => void): Figure {
  const mixed = mixedOf(totals, key);
  if (!mixed) {
    const [only] = cards;
    return {
      key,
      label: TITLES[key],
      value: only ? <Money amount={only[key]} currency={only.currency} /> : '—',
      onOpen,
    };
  }
  const each = mixed.each.map(({ currency, amount }) => `${formatMoney(amount, currency)} ${currency}`).join(' · ');
  const hint = mixed.missing.length > 0 ? `缺 ${mixed.missing.join('、')} 汇率 · ${each}` : each;
  return {
    key,
    label: TITLES[key],
    value: <Money amount={mixed.converted} currency={mixed.base} converted />,
    hint: <span title={`按 ${mixed.day} 汇率折算：${hint}`}>{hint}</span>,
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
  return <FigureLine figures={data && keys.map((key) => figureOf(data, key, opens[key] ?? onOpen))} />;
}
