import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { inboundWeb } from '../documents/kinds.ts';

/** 入库单: a new one, or one that nobody has approved yet. */
export default function InboundEdit() {
  return <DocumentEdit kind={inboundWeb} />;
}
