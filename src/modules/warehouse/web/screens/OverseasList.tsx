import { DocumentList } from '../documents/DocumentList.tsx';
import { overseasWeb } from '../documents/kinds.ts';

/** 海外仓备货单: every one that the caller may see. */
export default function OverseasList() {
  return <DocumentList kind={overseasWeb} />;
}
