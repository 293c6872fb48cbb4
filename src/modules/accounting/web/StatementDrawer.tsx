import { lastDayOf } from '#kit/contract/day.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { filterFields, filterQuery } from '#kit/web/list/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { PARTS, STATEMENTS, type Statement, type StatementLine, type StatementPart } from '../contract/statements.ts';
import { VoucherFilter } from '../contract/vouchers.ts';

const FILTERS = filterFields(VoucherFilter);
/** Subjects that are cash have no counter subject: they lead to their own entries. */
const CASH = /^(1001|1002|1012)/;

interface Props {
  statement: Statement;
  lines: readonly StatementLine[];
  /** Title of the line that is open. */
  open: string | undefined;
  /** Months of what the first amount counts. */
  since: string;
  month: string;
  onOpen: (title: string | undefined) => void;
}

/** What a line of a statement is made of: subjects that lead to their entries, or lines that open in its place. */
export function StatementDrawer({ statement, lines, open, since, month, onOpen }: Props) {
  const opened = lines.filter(({ parts }) => parts.length > 0);
  const at = opened.findIndex(({ title }) => title === open);
  const line = opened[at];
  const to = (step: number) => {
    const next = opened[at + step];
    return next && (() => onOpen(next.title));
  };
  /** Entries of a subject; of the cash flow the vouchers that have both the subject and cash. */
  const behind = (code: string, subject: string, from: string) =>
    statement === 'cash' && !CASH.test(code)
      ? {
          to: '/fin/voucher/list',
          title: '凭证',
          query: filterQuery(FILTERS, {
            subjects: [subject],
            cash: true,
            day: { from: `${from}-01`, to: lastDayOf(month) },
          }),
        }
      : { to: '/fin/ledger/detail', title: `明细账 ${code}`, query: { subject, from, to: month } };
  const amount = (key: 'first' | 'second') => ({
    render: (part: StatementPart) =>
      part.subjectId ? (
        <TabLink {...behind(part.code, part.subjectId, key === 'second' && statement !== 'balance' ? month : since)}>
          <Money amount={part[key]} currency="CNY" />
        </TabLink>
      ) : (
        <Money amount={part[key]} currency="CNY" />
      ),
    text: (part: StatementPart) => part[key] ?? '',
  });
  const columns: ColumnOverrides<StatementPart> = {
    name: {
      render: ({ name, subjectId }) =>
        subjectId ? (
          name
        ) : (
          <button type="button" className="link" onClick={() => onOpen(name)}>
            {name}
          </button>
        ),
      text: ({ name }) => name,
    },
    first: amount('first'),
    second: amount('second'),
  };
  return (
    <DetailDrawer
      open={line !== undefined}
      onClose={() => onOpen(undefined)}
      title={line?.title}
      subtitle={`${STATEMENTS[statement]} ${month}`}
      onPrev={to(-1)}
      onNext={to(1)}
      stepLabel="切换项目"
      foot={
        line && <Proof total={line.first ?? '0'} lines={line.parts.map(({ first }) => first ?? '0')} currency="CNY" />
      }
    >
      {line && (
        <LineTable
          row={PARTS[statement]}
          rows={line.parts}
          rowId={({ code, name }) => `${code} ${name}`}
          columns={columns}
          label="构成"
        />
      )}
    </DetailDrawer>
  );
}
