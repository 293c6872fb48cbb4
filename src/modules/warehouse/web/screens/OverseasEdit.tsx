import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { overseasWeb } from '../documents/kinds.ts';

/** 海外仓备货单: a new one, or one that nobody has approved yet. */
export default function OverseasEdit() {
  return <DocumentEdit kind={overseasWeb} />;
}
