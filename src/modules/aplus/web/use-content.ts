import { useMemo, useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { contentProblems } from '../contract/check.ts';
import type { Content, ModuleValue } from '../contract/content.ts';
import { type AplusDetail, saveAplus } from '../contract/documents.ts';

/** What somebody writes of a document, with what keeps it from being sent. */
export function useContent(detail: AplusDetail) {
  const { id, version, locales, name } = detail;
  const [start] = useState<Content>(
    () => detail.draft ?? detail.live ?? { name, locale: detail.locale || (locales[0] ?? 'en-US'), modules: [] },
  );
  const [content, setContent] = useState(start);
  const dirty = content !== start;
  const problems = useMemo(() => contentProblems(content), [content]);
  const send = useSend(saveAplus, { quiet: true });
  /** Keeps what was written; answers the version that stands now. */
  const save = async (): Promise<number> => {
    if (!dirty) return version;
    return (await send.mutateAsync({ body: { id, version, content } })).version;
  };
  const put = (change: Partial<Content>) => setContent((before) => ({ ...before, ...change }));
  const putModules = (modules: ModuleValue[]) => put({ modules });
  return { content, put, putModules, dirty, problems, save };
}
