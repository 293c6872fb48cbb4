import { DocumentList } from '../documents/DocumentList.tsx';
import { outboundWeb } from '../documents/kinds.ts';

/** 出库单: every one that the caller may see. */
export default function OutboundList() {
  return <DocumentList kind={outboundWeb} />;
}
