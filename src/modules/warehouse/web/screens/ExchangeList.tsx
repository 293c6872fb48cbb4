import { DocumentList } from '../documents/DocumentList.tsx';
import { exchangeWeb } from '../documents/kinds.ts';

/** 代料单: every one that the caller may see. */
export default function ExchangeList() {
  return <DocumentList kind={exchangeWeb} />;
}
