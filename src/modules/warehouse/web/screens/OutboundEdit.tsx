import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { outboundWeb } from '../documents/kinds.ts';

/** 出库单: a new one, or one that nobody has approved yet. */
export default function OutboundEdit() {
  return <DocumentEdit kind={outboundWeb} />;
}
