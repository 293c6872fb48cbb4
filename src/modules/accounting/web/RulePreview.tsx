import { Decimal, sum } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { PreviewRow, previewRule, type RuleInput } from '../contract/rules.ts';

/** What a rule makes of a month: sums by subject, what stands in the way, and the first vouchers. */
export function RulePreview({ source, month, rule }: { source: string; month: string; rule: RuleInput }) {
  const { data, error, isError, refetch } = useCall(
    previewRule,
    { body: { source, month, rule } },
    { keep: true, staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const side = (key: 'debit' | 'credit') => (data?.totals ?? []).map((row) => row[key] ?? '0');
  const [debit, credit] = [side('debit'), side('credit')];
  return (
    <div className="accounting-preview" aria-busy={data === undefined}>
      {data && (
        <p>
          {data.facts} 笔业务，{data.vouchers} 张凭证
          {data.problems.length > 0 && <span className="is-bad">，{data.problems.length} 项不能生成</span>}
        </p>
      )}
      {data && data.problems.length > 0 && (
        <ul className="accounting-skipped" aria-label="不能生成">
          {data.problems.map(({ name, why }) => (
            <li key={`${name} ${why}`}>
              {name}：{why}
            </li>
          ))}
        </ul>
      )}
      <LineTable
        label="按科目合计"
        row={PreviewRow}
        rows={data?.totals}
        rowId={({ subject }) => subject}
        totals={{ debit: sum(debit), credit: sum(credit) }}
        none="当月没有业务"
      />
      {!new Decimal(sum(debit)).isZero() && (
        <Proof total={sum(debit)} lines={credit} currency="CNY" text="借贷平衡" off="借贷不平衡" />
      )}
      {data?.samples.map(({ title, day, lines }) => (
        <section key={`${title} ${day}`}>
          <h4>
            {title} <span className="label">{day}</span>
          </h4>
          <LineTable
            label={title}
            row={previewRule.reply.shape.samples.element.shape.lines.element}
            rows={lines}
            rowId={(_, at) => String(at)}
          />
        </section>
      ))}
    </div>
  );
}
