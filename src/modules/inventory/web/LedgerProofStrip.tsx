import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import type { FilterValue } from '#kit/web/list/index.ts';
import { EVENTS, type LedgerProof, proveLedger } from '../contract/ledger.ts';
import { wordOf } from './facts.tsx';

const signed = (value: number): string => (value > 0 ? `+${formatInteger(value)}` : formatInteger(value));

function figuresOf(proof: LedgerProof, onEvent: (event: string) => void): Figure[] {
  const balance = (key: 'starting' | 'ending', label: string): Figure => ({
    key,
    label,
    value: formatInteger(proof[key]),
    hint: proof[key] === null ? '按事件筛选时没有' : '每日库存报告',
  });
  return [
    balance('starting', '期初'),
    ...proof.byEvent.map(({ event, quantity }) => ({
      key: event,
      label: wordOf(EVENTS, event),
      value: signed(quantity),
      onOpen: () => onEvent(event),
    })),
    { key: 'moved', label: '变动合计', value: signed(proof.moved) },
    balance('ending', '期末'),
    {
      key: 'difference',
      label: '差额',
      value: formatInteger(proof.difference),
      hint: proof.difference === 0 ? '期初+变动=期末' : proof.difference === null ? '' : '报告不一致',
    },
  ];
}

/** Opening balance, what moved by kind, closing balance, and whether they fit. Each kind opens its rows. */
export function LedgerProofStrip({ filter, onEvent }: { filter: FilterValue; onEvent: (event: string) => void }) {
  const { data } = useCall(proveLedger, { body: { filter } }, { keep: true });
  return <FigureLine figures={data && figuresOf(data, onEvent)} />;
}
