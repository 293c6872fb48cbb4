import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { Tag } from '#kit/web/cells/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import { QUOTE_AUDIT } from '../../contract/quote-request/fields.ts';

interface Props {
  rows: readonly QuoteAnswerRow[] | undefined;
  /** Undefined where nothing is chosen any more. */
  onChoose: ((row: QuoteAnswerRow) => void) | undefined;
}

const isOver = (row: QuoteAnswerRow) => row.expired || row.superseded;

function Carrier({ row, onChoose }: { row: QuoteAnswerRow; onChoose: Props['onChoose'] }) {
  return (
    <span className={isOver(row) ? 'text3' : undefined}>
      {onChoose && row.kind === 'ANSWER' && !isOver(row) && (
        <Allowed code={QUOTE_AUDIT}>
          <Button size="small" onClick={() => onChoose(row)}>
            选中
          </Button>{' '}
        </Allowed>
      )}
      {row.carrier} {row.chosen && <Tag tone="done" title="已选中" />}{' '}
      {row.cheapest && <Tag tone="done" title="最低价" />} {row.fastest && <Tag tone="running" title="最快" />}{' '}
      {row.late && <Tag tone="waiting" title="逾期" />} {row.expired && <Tag tone="off" title="已失效" />}{' '}
      {row.superseded && <Tag tone="off" title="旧报价" />}
    </span>
  );
}

/** Answers beside each other and beside our price cards, the best first, each with the button that chooses it. */
export function Answers({ rows, onChoose }: Props) {
  return (
    <LineTable
      row={QuoteAnswerRow}
      rows={rows}
      rowId={(row) => row.id}
      columns={{
        carrier: { width: 300, render: (row) => <Carrier row={row} onChoose={onChoose} />, text: (row) => row.carrier },
      }}
      label="报价比较"
      none="还没有报价"
    />
  );
}
