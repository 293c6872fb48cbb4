import { describe, expect, it } from 'vitest';
import { depth, luck } from '#test/support/depth.ts';
import { type Counted, type SentBox, shareOut } from '../../server/receipt/share.ts';

type Pieces = Record<string, number>;
const box = (no: number, items: Pieces, more: { delivered?: boolean; marked?: Pieces } = {}): SentBox => ({
  no,
  items: new Map(Object.entries(items)),
  delivered: more.delivered ?? false,
  marked: more.marked ? new Map(Object.entries(more.marked)) : null,
});
const counted = (received: Pieces, stage: Counted['stage'] = 'closed'): Counted => ({
  received: new Map(Object.entries(received)),
  stage,
});
const inBoxes = (boxes: readonly SentBox[], told: Counted) =>
  Object.fromEntries(shareOut(boxes, told).boxes.map(({ no, received }) => [no, Object.fromEntries(received)]));
const suspects = (boxes: readonly SentBox[], told: Counted) =>
  Object.fromEntries(
    shareOut(boxes, told).boxes.flatMap(({ no, suspicion }) => (suspicion ? [[no, suspicion.score]] : [])),
  );

describe('what Amazon received, shared out over boxes', () => {
  const three = [box(1, { A: 10 }), box(2, { A: 7 }), box(3, { A: 8 })];

  it('goes to the boxes by their numbers, those that were signed for first', () => {
    expect(inBoxes(three, counted({ A: 13 }, 'counting'))).toEqual({ 1: { A: 10 }, 2: { A: 3 }, 3: { A: 0 } });
    const signed = [box(1, { A: 10 }), box(2, { A: 7 }), box(3, { A: 8 }, { delivered: true })];
    expect(inBoxes(signed, counted({ A: 13 }, 'counting'))).toEqual({ 1: { A: 5 }, 2: { A: 0 }, 3: { A: 8 } });
  });

  it('leaves the box empty whose content is exactly what is missing', () => {
    expect(inBoxes(three, counted({ A: 18 }))).toEqual({ 1: { A: 10 }, 2: { A: 0 }, 3: { A: 8 } });
    expect(suspects(three, counted({ A: 18 }))).toEqual({ 2: 85 });
    expect(suspects(three, counted({ A: 18 }, 'counting'))).toEqual({ 2: 70 });
    // Four are missing: no box holds just four.
    expect(suspects(three, counted({ A: 21 }))).toEqual({});
    expect(suspects(three, counted({ A: 18 }, 'away'))).toEqual({});
  });

  it('suspects a mixed box only where all of it is missing', () => {
    const mixed = [box(1, { A: 5, B: 5 }), box(2, { A: 9 }), box(3, { B: 9 })];
    expect(suspects(mixed, counted({ A: 9, B: 9 }))).toEqual({ 1: 85 });
    expect(suspects(mixed, counted({ A: 9, B: 14 }))).toEqual({});
    expect(suspects(mixed, counted({ A: 5, B: 5 }))).toEqual({ 2: 85, 3: 85 });
  });

  it('is less sure where several boxes are alike, more where the others were signed for', () => {
    const alike = [box(1, { A: 10 }), box(2, { A: 10 }), box(3, { A: 10 })];
    expect(suspects(alike, counted({ A: 20 }))).toEqual({ 1: 25, 2: 25, 3: 25 });
    expect(suspects(alike, counted({ A: 10 }))).toEqual({ 1: 50, 2: 50, 3: 50 });
    expect(suspects(alike, counted({ A: 0 }))).toEqual({ 1: 85, 2: 85, 3: 85 });
    const signed = [box(1, { A: 10 }), box(2, { A: 8 }, { delivered: true })];
    expect(suspects(signed, counted({ A: 8 }))).toEqual({ 1: 100 });
    expect(suspects(signed, counted({ A: 10 }))).toEqual({ 2: 45 });
    const [first, ...others] = alike.map(({ no }) => box(no, { A: 10 }, { delivered: no !== 1 }));
    expect(inBoxes([...others, ...(first ? [first] : [])], counted({ A: 20 }))[1]).toEqual({ A: 0 });
  });

  it('explains the same pieces once: by what explains more, then by fewer boxes', () => {
    const over = [box(1, { A: 10 }), box(2, { A: 10, B: 4 }), box(3, { B: 6 })];
    expect(suspects(over, counted({ A: 10, B: 6 }))).toEqual({ 2: 85 });
    const halves = [box(1, { A: 5 }), box(2, { A: 5 }), box(3, { A: 10 })];
    expect(suspects(halves, counted({ A: 10 }))).toEqual({ 3: 85 });
  });

  it('keeps to what people mark, and looks for the rest among the other boxes', () => {
    const marked = [box(1, { A: 10 }, { marked: {} }), box(2, { A: 7 }), box(3, { A: 8 })];
    expect(inBoxes(marked, counted({ A: 15 }))).toEqual({ 1: { A: 0 }, 2: { A: 7 }, 3: { A: 8 } });
    expect(suspects(marked, counted({ A: 15 }))).toEqual({});
    expect(suspects(marked, counted({ A: 8 }))).toEqual({ 2: 85 });
    const partly = [box(1, { A: 10 }, { marked: { A: 4 } }), box(2, { A: 7 })];
    expect(inBoxes(partly, counted({ A: 11 }))).toEqual({ 1: { A: 4 }, 2: { A: 7 } });
  });

  it('says so where the counts no longer allow a mark', () => {
    const came = [box(1, { A: 10 }, { marked: { A: 10 } }), box(2, { A: 7 })];
    expect(shareOut(came, counted({ A: 6 })).boxes).toMatchObject([{ conflict: true }, { conflict: false }]);
    const lost = [box(1, { A: 10 }, { marked: {} }), box(2, { A: 7 })];
    expect(inBoxes(lost, counted({ A: 9 }))).toEqual({ 1: { A: 2 }, 2: { A: 7 } });
    expect(shareOut(lost, counted({ A: 9 })).boxes).toMatchObject([{ conflict: true }, { conflict: false }]);
  });

  it('puts what no box can hold beside them, SKUs that nobody packed too', () => {
    expect(shareOut([box(1, { A: 10 })], counted({ A: 12, C: 2 })).skus).toEqual([
      { msku: 'A', packed: 10, received: 12, inBoxes: 10, beyond: 2, missing: 0 },
      { msku: 'C', packed: 0, received: 2, inBoxes: 0, beyond: 2, missing: 0 },
    ]);
  });
});

it('whatever boxes, marks and counts there are: the sums are Amazon’s, and no box has more than was packed', () => {
  const next = luck('box receipts');
  const draw = (end: number) => Math.floor(next() * end);
  const names = ['A', 'B', 'C', 'D'];
  const stages = ['away', 'counting', 'closed'] as const;
  let suspected = 0;
  for (let round = 0; round < depth(2000, 50_000); round += 1) {
    const mskus = names.slice(0, 1 + draw(names.length));
    const boxes = Array.from({ length: 1 + draw(8) }, (_, index) => {
      const items = Object.fromEntries(mskus.flatMap((msku) => (draw(3) > 0 ? [[msku, 1 + draw(6)]] : [])));
      const marked = Object.fromEntries(Object.entries(items).map(([msku, qty]) => [msku, draw(qty + 1)]));
      return box(index + 1, items, { delivered: draw(3) === 0, ...(draw(4) === 0 ? { marked } : {}) });
    });
    const packed = (msku: string) => boxes.reduce((total, { items }) => total + (items.get(msku) ?? 0), 0);
    const told = counted(
      Object.fromEntries(mskus.map((msku) => [msku, draw(2) === 0 ? draw(packed(msku) + 4) : packed(msku)])),
      stages[draw(3)] ?? 'closed',
    );
    const shared = shareOut(boxes, told);
    for (const sku of shared.skus) {
      const mine = shared.boxes.reduce((total, { received }) => total + (received.get(sku.msku) ?? 0), 0);
      expect(sku).toMatchObject({
        packed: packed(sku.msku),
        received: told.received.get(sku.msku) ?? 0,
        inBoxes: mine,
      });
      expect(mine + sku.beyond).toBe(sku.received);
      expect(mine + sku.missing).toBe(sku.packed);
      expect(Math.min(sku.beyond, sku.missing)).toBe(0);
    }
    expect(shared.skus.map(({ msku }) => msku).sort()).toEqual(
      [...new Set([...told.received.keys(), ...boxes.flatMap(({ items }) => [...items.keys()])])].sort(),
    );
    for (const { no, received, suspicion, conflict } of shared.boxes) {
      const { items, marked } = boxes.find((one) => one.no === no) ?? box(0, {});
      for (const [msku, pieces] of received) {
        expect(pieces).toBeGreaterThanOrEqual(0);
        expect(pieces).toBeLessThanOrEqual(items.get(msku) ?? 0);
        if (marked && !conflict) expect(pieces).toBe(marked.get(msku));
      }
      if (suspicion === null) continue;
      suspected += 1;
      expect(marked).toBeNull();
      expect(suspicion.score).toBeGreaterThan(0);
      expect(suspicion.score).toBeLessThanOrEqual(100);
    }
  }
  expect(suspected).toBeGreaterThan(0);
});
