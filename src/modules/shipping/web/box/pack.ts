import type { Reply } from '#kit/contract/endpoint.ts';
import type { Act } from '#modules/warehouse/web/index.ts';
import { type PackLine, type packTask, scanIntoBox } from '../../contract/box/calls.ts';

export type Task = Reply<typeof packTask>;
type Box = Task['boxes'][number];

interface Pieces {
  boxNo: number;
  lineId: string;
  qty: number;
}

/** A task with pieces put into a box, below 0 taken out. */
export function withScan(task: Task, { boxNo, lineId, qty }: Pieces): Task {
  const box = (one: Box): Box => {
    if (one.no !== boxNo) return one;
    const now = (one.items.find((item) => item.lineId === lineId)?.qty ?? 0) + qty;
    const others = one.items.filter((item) => item.lineId !== lineId);
    return { ...one, items: now > 0 ? [...others, { lineId, qty: now }] : others };
  };
  const line = (one: PackLine): PackLine => (one.lineId === lineId ? { ...one, boxed: one.boxed + qty } : one);
  return { ...task, boxes: task.boxes.map(box), lines: task.lines.map(line) };
}

const mine = (task: Task, act: Act) =>
  act.state === 'pending' && act.path === scanIntoBox.path && act.body.id === task.id;

/** What of this order still waits on the device to be sent. */
export const waitingOf = (task: Task, acts: readonly Act[]): Act[] => acts.filter((act) => mine(task, act));

/** What the server knows with what it has not heard of yet. */
export function withWaiting(task: Task, acts: readonly Act[]): Task {
  return waitingOf(task, acts).reduce((now, act) => withScan(now, act.body as unknown as Pieces), task);
}
