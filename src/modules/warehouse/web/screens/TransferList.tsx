import { DocumentList } from '../documents/DocumentList.tsx';
import { transferWeb } from '../documents/kinds.ts';

/** 调库单: every one that the caller may see. */
export default function TransferList() {
  return <DocumentList kind={transferWeb} />;
}
