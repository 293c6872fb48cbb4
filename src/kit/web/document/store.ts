import type { Outcome } from '../../contract/document-calls.ts';

/** What is said of a saved document. */
export type Saved = Pick<Outcome, 'id' | 'number' | 'message'>;

/** What a form does on its way from the button to the page that follows. */
export interface StoreSteps {
  save: () => Promise<Saved>;
  /** Hands in what was saved; undefined: it is only saved. */
  submit: ((id: string) => Promise<unknown>) | undefined;
  /** What is said of it then, after its number; 已提交审核 where nothing is told. */
  submitted?: string | undefined;
  /** The document has all that the form holds. */
  onSaved: () => void;
  /** Whatever shows such documents asks again. */
  refresh: () => Promise<unknown>;
  say: (text: string) => void;
  /** Opens a page about the saved document in place of the form: its own page, or its form again. */
  open: (page: 'detail' | 'edit', saved: Saved) => void;
}

/**
 * Saves a document and hands it in. Once it is saved it stays: if handing it in is refused, the form goes on with the saved
 * document, so that pressing the button again changes that one and makes no second. @throws what either call was refused with
 */
export async function storeDocument(steps: StoreSteps): Promise<void> {
  const saved = await steps.save();
  steps.onSaved();
  try {
    await steps.submit?.(saved.id);
  } catch (error) {
    await steps.refresh();
    steps.open('edit', saved);
    throw error;
  }
  steps.say(steps.submit ? `${saved.number} ${steps.submitted ?? '已提交审核'}` : saved.message);
  await steps.refresh();
  steps.open('detail', saved);
}
