import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { exchangeWeb } from '../documents/kinds.ts';

/** 代料单: one of them with its lines, its stock movements and what can be done now. */
export default function ExchangeDetail() {
  return <DocumentDetail kind={exchangeWeb} />;
}
