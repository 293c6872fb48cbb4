import type { Step } from '../../contract/documents.ts';
import type { ContentDocument } from '../payload.ts';

/** What a write of a document is made of. */
export interface AplusWrite {
  step: Step;
  /** Null for a document that Amazon does not have yet. */
  key: string | null;
  /** updateTime that the wish was made on. */
  base: string | null;
  content?: ContentDocument;
  asins?: readonly string[];
  /** Keys of documents of that name before a new one was made. */
  known?: readonly string[];
}
