import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { transferWeb } from '../documents/kinds.ts';

/** 调库单: one of them with its lines, its stock movements and what can be done now. */
export default function TransferDetail() {
  return <DocumentDetail kind={transferWeb} />;
}
