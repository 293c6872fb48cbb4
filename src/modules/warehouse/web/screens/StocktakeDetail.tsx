import { DocumentDetail } from '../documents/DocumentDetail.tsx';
import { stocktakeWeb } from '../documents/kinds.ts';

/** 盘点单: one of them with its lines, its stock movements and what can be done now. */
export default function StocktakeDetail() {
  return <DocumentDetail kind={stocktakeWeb} />;
}
