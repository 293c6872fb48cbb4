import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { outboundWeb } from '../documents/kinds.ts';

/** 出库单: one of them with its lines, its stock movements and what can be done now. */
export default function OutboundDetail() {
  return <DocumentDetail kind={outboundWeb} />;
}
