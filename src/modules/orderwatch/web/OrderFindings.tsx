import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { FindingRow } from '../contract/findings.ts';

const SHOWN = ['kind', 'words', 'figure', 'threshold', 'unit', 'state', 'foundAt', 'note', 'handledBy'] as const;

/** What is odd about one order. */
export default function OrderFindings({ rows }: { rows: readonly FindingRow[] }) {
  return <LineTable label="异常" row={FindingRow} rows={rows} only={SHOWN} />;
}
