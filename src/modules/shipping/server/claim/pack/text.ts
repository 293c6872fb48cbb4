import type { ClaimFacts, PackedBox } from './facts.ts';

const row = (title: string, value: string | null): string[] => (value ? [`- ${title}: ${value}`] : []);

/** A box that is held to be lost, with all by which the marketplace and the carrier can find it. */
function boxWords(box: PackedBox): string {
  const facts = [
    box.amazonBoxId,
    box.trackingNo && `tracking ${box.trackingNo}`,
    box.weight && `${box.weight} kg`,
    box.size && `${box.size} cm`,
    `content ${box.content}`,
    box.deliveredOn && `signed for on ${box.deliveredOn}`,
  ].filter(Boolean);
  const match = box.score === null ? '' : ` (match ${box.score} of 100)`;
  return `- Box ${box.no}: ${facts.join(', ')} - ${box.missing} of ${box.qty} units missing, ${box.finding}${match}`;
}

function lostBoxes(boxes: readonly PackedBox[]): string[] {
  const lost = boxes.filter(({ finding }) => finding !== '');
  return lost.length === 0 ? [] : ['', 'Boxes in question', ...lost.map(boxWords)];
}

/**
 * The case in English, ready to be pasted into the marketplace's form: what was sent, what was counted, what is asked for.
 * Only what is known stands in it.
 */
export function caseText(facts: ClaimFacts): string {
  const { claim, order, boxes, country } = facts;
  const withGoods = boxes.filter((box) => box.qty > 0);
  const packed = withGoods.reduce((total, box) => total + box.qty, 0);
  return [
    `Subject: Missing units in inbound shipment ${claim.shipmentNo || order.number} - ${claim.msku}`,
    '',
    'Hello,',
    '',
    `${claim.qty} of the ${claim.shipped} units that we shipped were not received. Please research the shipment and reimburse the missing units.`,
    '',
    'Shipment',
    ...row('Shipment ID', claim.shipmentNo),
    ...row('Destination', [facts.centre, country].filter(Boolean).join(', ')),
    ...row('Shipped on', facts.shippedOn),
    ...row('Delivered on', facts.deliveredOn),
    ...row('Shipment closed on', claim.closedOn),
    ...row('Carrier', order.carrier),
    ...row('Tracking number', order.trackingNo),
    ...(boxes.length > 0 ? [`- Boxes: ${boxes.length}`] : []),
    ...row('Total weight', facts.totalWeight === null ? null : `${facts.totalWeight} kg`),
    '',
    'Units',
    `- MSKU: ${claim.msku}`,
    ...row('FNSKU', facts.fnsku),
    ...row('ASIN', facts.asin),
    ...row('Product', facts.title),
    `- Units shipped: ${claim.shipped}`,
    `- Units received: ${claim.received}`,
    `- Units missing: ${claim.qty}`,
    ...(packed > 0 ? [`- Units packed: ${packed} in ${withGoods.length} box(es), see the packing list`] : []),
    ...lostBoxes(boxes),
    '',
    'Attached: packing list with the content, size and weight of each box, and the documents of the goods and of the transport.',
    '',
    'Thank you.',
    '',
  ].join('\n');
}
