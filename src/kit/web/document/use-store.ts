import { useState } from 'react';
import type { z } from 'zod';
import type { CallInput, EndpointDef } from '../../contract/endpoint.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/errors.ts';
import { useSend } from '../api/hooks.ts';
import type { useForm } from '../form/use-form.ts';
import { notice } from '../notice.tsx';
import { useDirty, useTab } from '../tabs/scope.ts';
import { type Saved, storeDocument } from './store.ts';

type Saving = EndpointDef & { reply: z.ZodType<Saved> };

interface Settings<E extends Saving> {
  form: Pick<ReturnType<typeof useForm>, 'values' | 'reset' | 'refuse'>;
  save: E;
  /** The command that hands a saved document in; undefined for documents that nobody approves. */
  submit: EndpointDef | undefined;
  /** What is said of it then, where that is not 已提交审核. */
  submitted?: string;
  refresh: () => Promise<unknown>;
  /** Paths of the document's own page and of its form. */
  detail: string;
  edit: string;
}

export interface Store<E extends Saving> {
  busy: boolean;
  /** Something outside of the form's fields was changed, e.g. its lines. */
  touch: () => void;
  /** Saves, hands in if asked, and opens what follows; refusals are shown. */
  store: (input: CallInput<E>, andSubmit: boolean) => Promise<void>;
}

/**
 * Buttons 存草稿 and 提交审核 of a document's form. A document that was saved but not handed in is opened in the form, with what
 * the refusal says, so that the next press goes on with it. Marks the tab while lines are changed.
 */
export function useStore<E extends Saving>(settings: Settings<E>): Store<E> {
  const { form, save, submit, submitted, refresh, detail, edit } = settings;
  const tab = useTab();
  const [busy, setBusy] = useState(false);
  const [touched, setTouched] = useState(false);
  useDirty(touched);
  const send = useSend(save, { quiet: true });

  const store = async (input: CallInput<E>, andSubmit: boolean) => {
    if (busy) return;
    setBusy(true);
    try {
      await storeDocument({
        save: () => send.mutateAsync(input),
        submit: andSubmit && submit ? (id) => call(submit, { body: { id } } as never, { quiet: true }) : undefined,
        submitted,
        onSaved: () => {
          setTouched(false);
          form.reset(form.values);
        },
        refresh,
        say: notice.success,
        open: (page, { id, number }) =>
          page === 'detail'
            ? tab.open(detail, { title: number, query: { id }, replace: true })
            : tab.open(edit, { title: `编辑${number}`, query: { id }, replace: true }),
      });
    } catch (error) {
      form.refuse(error);
      // A lost session explains itself on the login page, a call that was cancelled needs no words.
      if (error instanceof ApiError && error.code !== 401) notice.error(error.message);
    } finally {
      setBusy(false);
    }
  };
  return { busy, touch: () => setTouched(true), store };
}
