import { DocumentList } from '../documents/DocumentList.tsx';
import { stocktakeWeb } from '../documents/kinds.ts';

/** 盘点单: every one that the caller may see. */
export default function StocktakeList() {
  return <DocumentList kind={stocktakeWeb} />;
}
