import { DocumentList } from '../documents/DocumentList.tsx';
import { inboundWeb } from '../documents/kinds.ts';

/** 入库单: every one that the caller may see. */
export default function InboundList() {
  return <DocumentList kind={inboundWeb} />;
}
