import { Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Stacks } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { COST } from '../../contract/claim/claim.ts';
import { type TransitFilter, transitBoard } from '../../contract/transit.ts';
import { type Span, stacksOf, type What } from './arrivals.ts';

const PIECES = { kind: 'integer' } as const;
const CNY = { kind: 'money', currency: 'CNY' } as const;

/** What is on its way under the list's filter: figures, and when it is expected. */
export function Board({ filter }: { filter: FilterValue }) {
  const { data } = useCall(transitBoard, { body: { filter: filter as TransitFilter } }, { keep: true });
  const seesCost = useAllowed(COST);
  const [span, setSpan] = useState<Span>('week');
  const [what, setWhat] = useState<What>('pieces');
  const { labels, stacks } = useMemo(() => stacksOf(data?.arrivals ?? [], span, what), [data, span, what]);
  const heaps = [
    ['all', '在途'],
    ['late', '已超期'],
    ['door', '已到仓待上架'],
    ['unknown', '到仓日未知'],
  ] as const;
  const figures = data
    ? heaps.map(([key, label]): Figure => {
        const { orders, pieces, value } = data[key];
        const worth = seesCost && value ? ` · ${formatMoney(value, 'CNY')}` : '';
        return { key, label, value: formatInteger(pieces), hint: `${formatInteger(orders)} 单${worth}` };
      })
    : undefined;
  return (
    <div className="transit-board">
      <FigureLine figures={figures} />
      {labels.length > 0 && (
        <>
          <div className="transit-switches">
            <h2>预计到仓</h2>
            <Segmented<Span>
              size="small"
              value={span}
              onChange={setSpan}
              options={[
                { value: 'day', label: '按日' },
                { value: 'week', label: '按周' },
              ]}
            />
            {seesCost && (
              <Segmented<What>
                size="small"
                value={what}
                onChange={setWhat}
                options={[
                  { value: 'pieces', label: '件数' },
                  { value: 'value', label: '货值' },
                ]}
              />
            )}
          </div>
          <Stacks
            labels={labels}
            stacks={stacks}
            label={what === 'pieces' ? '预计到仓件数' : '预计到仓货值'}
            measure={what === 'pieces' ? PIECES : CNY}
            height={190}
          />
        </>
      )}
    </div>
  );
}
