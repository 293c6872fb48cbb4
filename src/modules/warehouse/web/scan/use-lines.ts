import { useState } from 'react';
import type { ScanPack } from '../../contract/scan.ts';
import type { ActionName } from './acts.ts';
import { type Line, openOf } from './codes.ts';

export type Task = NonNullable<ScanPack['task']>;

const WORDS: Record<Task['kind'], string> = {
  inbound: '收货',
  transfer: '收货',
  overseas: '收货',
  outbound: '拣货',
  stocktake: '盘点',
  ship: '配货',
  self: '拣货',
};

/** Whether pieces are taken from shelves, one shelf after the other. */
export const isPicked = (task: Pick<Task, 'kind'>): boolean =>
  task.kind === 'outbound' || task.kind === 'ship' || task.kind === 'self';

/** The call that says to the server what was scanned for a document. */
export function actionOf(task: Task): ActionName {
  if (task.kind === 'inbound') return 'receiveInbound';
  if (task.kind === 'transfer') return 'receiveTransfer';
  if (task.kind === 'overseas') return 'receiveOverseas';
  if (task.kind === 'outbound') return 'pick';
  if (task.kind === 'ship' || task.kind === 'self') return 'pickOther';
  return task.state === 'recounting' ? 'recount' : 'count';
}

/** A line of a document that says what was scanned, as the call of its kind takes it. A count says the whole number. */
export function entryOf(task: Task, line: Line, place: string | undefined, short = false): Record<string, unknown> {
  if (isPicked(task)) return { lineId: line.lineId, qty: line.now, short };
  if (task.kind === 'stocktake') return { lineId: line.lineId, counted: line.done + line.now };
  return { lineId: line.lineId, qty: line.now, ...(place === undefined ? {} : { locationId: place }) };
}

/** e.g. 「拣货 CK2611210001：KD-01 ×3」; of several lines the pieces together. */
export function wordsOf(task: Task, lines: readonly Line[], codeOf: (productId: string) => string): string {
  const pieces = lines.reduce((sum, line) => sum + line.now, 0);
  const [only] = lines;
  const what = lines.length === 1 && only ? codeOf(only.productId) : `${lines.length} 行`;
  return `${WORDS[task.kind]} ${task.number}：${what} ×${pieces}`;
}

/** The lines of a task while they are worked at: what is scanned counts here first. */
export function useLines(task: Task) {
  const [lines, setLines] = useState<Line[]>(() => task.lines.map((line) => ({ ...line, now: 0 })));
  const [places, setPlaces] = useState<Record<string, string>>({});
  const change = (lineId: string, next: (line: Line) => Partial<Line>) =>
    setLines((old) => old.map((line) => (line.lineId === lineId ? { ...line, ...next(line) } : line)));
  return {
    lines,
    places,
    /** One more piece of a line, put at a place where one was scanned. */
    add: (lineId: string, place: string | undefined) => {
      change(lineId, (line) => ({ now: line.now + 1 }));
      if (place !== undefined) setPlaces((old) => ({ ...old, [lineId]: place }));
    },
    put: (lineId: string, now: number) => change(lineId, () => ({ now })),
    /** What was scanned is said: it is part of what is done. The rest of a short line is wanted no longer. */
    settle: (lineIds: readonly string[], short: boolean) => {
      for (const id of lineIds) {
        change(id, (line) => {
          const done = line.done + line.now;
          return { done, now: 0, ...(short ? { want: done } : {}) };
        });
      }
    },
  };
}

/** How far a task is: lines with nothing left to do. */
export const finished = (lines: readonly Line[]) =>
  lines.filter((line) => line.want !== null && openOf(line) === 0).length;
