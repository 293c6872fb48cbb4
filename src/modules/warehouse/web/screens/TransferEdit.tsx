import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { transferWeb } from '../documents/kinds.ts';

/** 调库单: a new one, or one that nobody has approved yet. */
export default function TransferEdit() {
  return <DocumentEdit kind={transferWeb} />;
}
