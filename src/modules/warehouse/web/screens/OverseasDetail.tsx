import { BoxTable } from '../documents/BoxTable.tsx';
import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { overseasWeb } from '../documents/kinds.ts';
import { OverseasButtons } from '../documents/OverseasButtons.tsx';

/** 海外仓备货单: one with its boxes, its way and its receipts. */
export default function OverseasDetail() {
  return (
    <DocumentDetail
      kind={overseasWeb}
      tabs={({ head, lines, refresh }) => [
        {
          key: 'boxes',
          title: '装箱',
          count: head.boxes ?? 0,
          content: <BoxTable head={head} lines={lines} onSaved={refresh} />,
        },
      ]}
      buttons={(special) => <OverseasButtons {...special} />}
    />
  );
}
