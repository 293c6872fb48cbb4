import { formatPercent } from '#kit/contract/format.ts';
import type { ClausesOfOrder } from '../../contract/clause.ts';

/** Clauses of an order as its contract prints them. */
export function Clauses({ clauses }: { clauses: ClausesOfOrder }) {
  if (clauses.filled.length === 0)
    return <p className="order-clauses text3">没有自己的合同条款，合同按通用条款打印。</p>;
  return (
    <div className="order-clauses">
      <p className="text2">
        {clauses.template ? `取自模板「${clauses.template}」` : '未使用模板'}
        {clauses.penalty !== null && ` · 违约金比例 ${formatPercent(clauses.penalty)}`}
      </p>
      <ol>
        {clauses.filled.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
    </div>
  );
}
