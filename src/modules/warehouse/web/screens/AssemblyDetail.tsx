import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { assemblyWeb } from '../documents/kinds.ts';

/** 加工单: one of them with its lines, its stock movements and what can be done now. */
export default function AssemblyDetail() {
  return <DocumentDetail kind={assemblyWeb} />;
}
