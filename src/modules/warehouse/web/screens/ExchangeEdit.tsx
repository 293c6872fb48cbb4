import { DocumentEdit } from '../documents/DocumentEdit.tsx';
import { exchangeWeb } from '../documents/kinds.ts';

/** 代料单: a new one, or one that nobody has approved yet. */
export default function ExchangeEdit() {
  return <DocumentEdit kind={exchangeWeb} />;
}
