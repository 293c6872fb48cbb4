import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { inboundWeb } from '../documents/kinds.ts';

/** 入库单: one of them with its lines, its stock movements and what can be done now. */
export default function InboundDetail() {
  return <DocumentDetail kind={inboundWeb} />;
}
