import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { checkDraft, type DraftCheck, type DraftDetail, saveDraft } from '../contract/draft.ts';
import type { Attributes, Values } from '../contract/form.ts';

/** The schema is asked again once somebody paused for so long. */
const PAUSE_MS = 600;

/**
 * What somebody typed into a draft, with what the schema says of it. A newer version of the draft takes the place of the one
 * that is worked on; what was typed meanwhile stays. Where the newer one is somebody else's, saving is refused and tells.
 */
export function useDraft(detail: DraftDetail) {
  const [start, setStart] = useState(detail);
  const [attributes, setAttributes] = useState<Attributes>(detail.attributes);
  const [settled, setSettled] = useState<Attributes>(detail.attributes);
  const [own, setOwn] = useState<{ attributes?: Attributes; version: number }>();
  const isTyped = attributes !== start.attributes && attributes !== own?.attributes;
  if (detail.version !== start.version && (!isTyped || detail.version === own?.version)) {
    setStart(detail);
    if (!isTyped) {
      setAttributes(detail.attributes);
      setSettled(detail.attributes);
    }
  }
  const dirty = attributes !== start.attributes;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(attributes), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [attributes]);
  const mutable = settled as DraftDetail['attributes'];
  const asked = useCall(
    checkDraft,
    { body: { id: detail.id, attributes: mutable } },
    { enabled: settled !== start.attributes, staleTime: 60_000, keep: true },
  );
  const check: DraftCheck = settled === start.attributes ? start.check : (asked.data ?? start.check);
  const put = (name: string, values: Values) =>
    setAttributes((before) => {
      if (values.length > 0) return { ...before, [name]: values };
      const { [name]: _, ...rest } = before;
      return rest;
    });
  const send = useSend(saveDraft, { quiet: true });
  /** Keeps what was typed; answers the version that stands now. */
  const save = async (): Promise<number> => {
    if (!dirty) return start.version;
    const body = { id: detail.id, version: start.version, attributes: attributes as DraftDetail['attributes'] };
    const { version } = await send.mutateAsync({ body });
    setOwn({ attributes, version });
    return version;
  };
  /** Takes a version for one's own: a step that somebody took here led to it. */
  const owns = (version: number) => setOwn((before) => ({ ...before, version }));
  return { attributes, put, dirty, check, save, owns };
}
