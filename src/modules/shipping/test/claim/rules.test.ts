import { describe, expect, it } from 'vitest';
import type { Reimbursed } from '#modules/inventory/server/index.ts';
import { matchPayments, type Owed } from '../../server/claim/match.ts';
import { stepFor } from '../../server/claim/payments.ts';
import { overOf, shortsOf } from '../../server/claim/share.ts';
import { type Piece, take } from '../../server/order/pieces.ts';

const shipment = (shipmentNo: string, shipped: number, received: number) => ({
  shipmentNo,
  items: [{ msku: 'A', shipped, received }],
});

describe('which shipment lost pieces are missing in', () => {
  const line = (lost: number) => ({ msku: 'A', shipped: 300, received: 300 - lost, lost });

  it('the one shipment of an order lacks all of them (E9)', () => {
    expect(shortsOf(line(45), [shipment('FBA1', 300, 255)], 'FBA1')).toEqual([
      { shipmentNo: 'FBA1', shipped: 300, received: 255, qty: 45 },
    ]);
  });

  it('of several those that are short, each up to what it lacks', () => {
    const shares = shortsOf(
      line(50),
      [shipment('FBA1', 100, 100), shipment('FBA2', 150, 110), shipment('FBA3', 50, 40)],
      '',
    );
    expect(shares.map(({ shipmentNo, qty }) => [shipmentNo, qty])).toEqual([
      ['FBA2', 40],
      ['FBA3', 10],
    ]);
  });

  it('what none of them announced is missing in the largest; an order without any keeps its own', () => {
    expect(shortsOf(line(5), [shipment('FBA1', 200, 200), shipment('FBA2', 95, 95)], '')).toMatchObject([
      { shipmentNo: 'FBA1', qty: 5 },
    ]);
    expect(shortsOf(line(5), [], 'FBA9')).toMatchObject([{ shipmentNo: 'FBA9', shipped: 300, received: 295, qty: 5 }]);
    expect(shortsOf(line(0), [], 'FBA9')).toEqual([]);
  });

  it('too many are those beyond what left, over all shipments', () => {
    const told = [shipment('FBA1', 200, 205), shipment('FBA2', 100, 98)];
    expect(overOf('A', 300, told)).toMatchObject({ shipmentNo: 'FBA1', shipped: 300, received: 303, qty: 3 });
    expect(overOf('A', 303, told)).toBeUndefined();
    expect(overOf('B', 0, told)).toBeUndefined();
  });
});

const claim = (id: string, qty: number, more: Partial<Owed> = {}): Owed => ({
  id,
  qty,
  state: 'filed',
  msku: 'A',
  shipmentNo: `FBA${id}`,
  caseNo: '',
  closedOn: '2026-05-01',
  ...more,
});
const paid = (reimbursementId: string, qty: number, amount: string, more: Partial<Reimbursed> = {}): Reimbursed => ({
  reimbursementId,
  qty,
  amount,
  msku: 'A',
  marketplaceId: 'ATVPDKIKX0DER',
  reason: 'Lost_Inbound',
  caseId: '',
  orderId: '',
  originalId: '',
  currency: 'USD',
  approvedAt: '2026-05-20T00:00:00.000Z',
  approvedOn: '2026-05-20',
  ...more,
});
const told = (
  claims: readonly Owed[],
  payments: readonly Reimbursed[],
  before?: ReadonlyMap<string, readonly string[]>,
) => matchPayments(claims, payments, before).map(({ claim: id, qty, amount }) => [id, qty, amount]);

describe('what a payment is for', () => {
  it('the claim of its SKU that was closed first, never more pieces than it lacks', () => {
    const claims = [claim('2', 4, { closedOn: '2026-05-10' }), claim('1', 3)];
    expect(told(claims, [paid('R1', 5, '50.01')])).toEqual([
      ['1', 3, '30.01'],
      ['2', 2, '20.00'],
    ]);
    // Two pieces are for something else: their money is not this claim's.
    expect(told([claim('1', 3)], [paid('R1', 5, '50.00')])).toEqual([['1', 3, '30.00']]);
  });

  it('the claim whose case or shipment it names, whatever its reason and even for more than is missing', () => {
    const claims = [claim('1', 3), claim('2', 3, { caseNo: '1777' })];
    expect(told(claims, [paid('R1', 4, '40.00', { caseId: '1777', reason: 'Other' })])).toEqual([['2', 4, '40.00']]);
    expect(told(claims, [paid('R1', 1, '10.00', { orderId: 'FBA1' })])).toEqual([['1', 1, '10.00']]);
  });

  it('no claim where the reason, the SKU or the day is another, or it was closed here', () => {
    expect(told([claim('1', 3)], [paid('R1', 3, '30', { reason: 'Lost_Warehouse' })])).toEqual([]);
    expect(told([claim('1', 3)], [paid('R1', 3, '30', { msku: 'B' })])).toEqual([]);
    expect(told([claim('1', 3)], [paid('R1', 3, '30', { approvedOn: '2026-04-30' })])).toEqual([]);
    expect(told([claim('1', 3, { state: 'closed' })], [paid('R1', 3, '30')])).toEqual([]);
  });

  it('stays where it was matched, though another claim would come first now', () => {
    const claims = [claim('1', 3, { closedOn: '2026-04-01' }), claim('2', 3)];
    expect(told(claims, [paid('R1', 3, '30.00')], new Map([['R1 A', ['2']]]))).toEqual([['2', 3, '30.00']]);
  });

  it('a reversal lowers what the payment that it names brought', () => {
    const back = paid('R2', -2, '-20.00', { originalId: 'R1', reason: 'Reimbursement_Reversal' });
    expect(told([claim('1', 3)], [back, paid('R1', 3, '30.00')])).toEqual([
      ['1', 3, '30.00'],
      ['1', -2, '-20.00'],
    ]);
    expect(told([claim('1', 3)], [back])).toEqual([]);
  });

  it('decides the stage: all pieces, some, or none again', () => {
    expect(stepFor('filed', 3, 3)).toBe('pay');
    expect(stepFor('filed', 3, 2)).toBe('payPart');
    expect(stepFor('paid', 3, 1)).toBe('payPart');
    expect(stepFor('paid', 3, 0)).toBe('unpay');
    expect(stepFor('closed', 3, 3)).toBeUndefined();
    expect(stepFor('found', 3, 0)).toBeUndefined();
  });
});

describe('pieces that come', () => {
  const lot = (more: Partial<Piece> = {}): Piece => ({
    part: 'P',
    lot: 'L',
    qty: 10,
    open: 0,
    lost: 0,
    lostValue: '0',
    lostSince: null,
    ...more,
  });

  it('are those on their way first, then those that were lost, with their share of the value', () => {
    const piece = lot({ open: 2, lost: 3, lostValue: '10.0000', lostSince: '2026-02-01' });
    expect(take([piece], 'P', 4)).toEqual([
      { lot: 'L', qty: 2, from: 'way' },
      { lot: 'L', qty: 2, from: 'lost', cost: { value: '6.6667', firstDay: '2026-02-01' } },
    ]);
    // The last one takes all that is left, and leaves nothing.
    expect(take([piece], 'P', 1)).toEqual([
      { lot: 'L', qty: 1, from: 'lost', cost: { value: '3.3333', firstDay: '2026-02-01' } },
    ]);
    expect(piece).toMatchObject({ open: 0, lost: 0, lostValue: '0.0000', lostSince: null });
  });

  it('go back on their way where fewer came than was said, the last lot first', () => {
    const lots = [lot(), lot({ lot: 'M' })];
    expect(take(lots, 'P', -12)).toEqual([
      { lot: 'M', qty: 10, from: 'shelf' },
      { lot: 'L', qty: 2, from: 'shelf' },
    ]);
  });
});
