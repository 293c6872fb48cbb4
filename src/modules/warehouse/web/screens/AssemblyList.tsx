import { DocumentList } from '../documents/DocumentList.tsx';
import { assemblyWeb } from '../documents/kinds.ts';

/** 加工单: every one that the caller may see. */
export default function AssemblyList() {
  return <DocumentList kind={assemblyWeb} />;
}
