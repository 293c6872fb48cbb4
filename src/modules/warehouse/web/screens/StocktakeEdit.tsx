import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { stocktakeWeb } from '../documents/kinds.ts';

/** 盘点单: a new one, or one that nobody has approved yet. */
export default function StocktakeEdit() {
  return <DocumentEdit kind={stocktakeWeb} />;
}
