import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { checkDraft, type DraftCheck, type DraftDetail, saveDraft } from '../contract/draft.ts';
import type { Attributes, Values } from '../contract/form.ts';

/** The schema is asked again once somebody paused for so long. */
const PAUSE_MS = 600;

/** What somebody typed into a draft, with what the schema says of it. */
export function useDraft(detail: DraftDetail) {
  const [attributes, setAttributes] = useState<Attributes>(detail.attributes);
  const [settled, setSettled] = useState<Attributes>(detail.attributes);
  const dirty = attributes !== detail.attributes;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(attributes), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [attributes]);
  const mutable = settled as DraftDetail['attributes'];
  const asked = useCall(
    checkDraft,
    { body: { id: detail.id, attributes: mutable } },
    { enabled: settled !== detail.attributes, staleTime: 60_000, keep: true },
  );
  const check: DraftCheck = settled === detail.attributes ? detail.check : (asked.data ?? detail.check);
  const put = (name: string, values: Values) =>
    setAttributes((before) => {
      if (values.length > 0) return { ...before, [name]: values };
      const { [name]: _, ...rest } = before;
      return rest;
    });
  const send = useSend(saveDraft, { quiet: true });
  /** Keeps what was typed; answers the version that stands now. */
  const save = async (): Promise<number> => {
    if (!dirty) return detail.version;
    const body = { id: detail.id, version: detail.version, attributes: attributes as DraftDetail['attributes'] };
    return (await send.mutateAsync({ body })).version;
  };
  return { attributes, put, dirty, check, save };
}
