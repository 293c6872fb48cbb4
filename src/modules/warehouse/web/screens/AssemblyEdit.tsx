import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { assemblyWeb } from '../documents/kinds.ts';

/** 加工单: a new one, or one that nobody has approved yet. */
export default function AssemblyEdit() {
  return <DocumentEdit kind={assemblyWeb} />;
}
