import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { TimelineEntry } from '../../contract/document-calls.ts';
import type { NoteCalls } from '../../contract/document-notes.ts';
import { call, useCall } from '../api/index.ts';
import { Attachments } from './Attachments.tsx';
import type { DocumentTab } from './DocumentScreen.tsx';
import { Stream, type StreamEvent } from './Stream.tsx';

const KINDS: Record<string, StreamEvent['kind']> = { comment: 'comment', transition: 'done' };

/** The timeline of a document as entries of its stream. */
export function eventsOf(timeline: readonly z.infer<typeof TimelineEntry>[] | undefined): StreamEvent[] | undefined {
  return timeline?.map((entry) => ({
    id: entry.id,
    kind: KINDS[entry.kind] ?? 'note',
    who: entry.actorName,
    title: entry.title,
    at: entry.at,
    text: entry.body,
  }));
}

interface Options {
  calls: NoteCalls;
  id: string;
  timeline: readonly z.infer<typeof TimelineEntry>[] | undefined;
  /** Reads the document again: its timeline has a new entry. */
  refresh: () => Promise<unknown>;
}

/** What people add to a document themselves: the tab with its attachments, and the stream in which they comment. */
export function useNotes({ calls, id, timeline, refresh }: Options): { tab: DocumentTab; side: ReactNode } {
  const files = useCall(calls.attachments, { params: { id } }, { enabled: timeline !== undefined, staleTime: 0 });
  const changed = () => Promise.all([files.refetch(), refresh()]);
  const comment = (text: string) => call(calls.comment, { body: { id, text } }, {}).then(refresh);
  return {
    tab: {
      key: 'attachments',
      title: '附件',
      ...(files.data ? { count: files.data.length } : {}),
      content: <Attachments calls={calls} id={id} files={files.data} onChanged={changed} />,
    },
    side: <Stream events={eventsOf(timeline)} onComment={comment} />,
  };
}
