import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { recordFile } from '#kit/server/files.ts';
import { joinPdfs } from '#kit/server/pdf/join.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { ApiRefused, paperAt } from '#modules/marketplace/server/index.ts';
import { get } from './desk.ts';
import { endTurn, type Turn } from './lease.ts';
import { apply } from './put.ts';
import type { InboundShipment, View } from './types.ts';

/** One answer holds the labels of so many boxes at most ("Max value:1000" in the model of v0). */
const MOST_LABELS = 1000;

type Labelled = Pick<InboundShipment, 'shipmentId' | 'shipmentNo' | 'transport'>;

const isPartnered = ({ transport }: Labelled) => transport?.solution === 'AMAZON_PARTNERED_CARRIER';
/** Whether a partner of Amazon's whose code begins so fetches it. */
const carriedBy = (shipment: Labelled, sign: RegExp) =>
  isPartnered(shipment) && sign.test(shipment.transport?.carrierCode ?? '');

/** Sheets of paper: letter in North America, where a parcel of UPS's as Amazon's partner takes two on one; A4 elsewhere. */
function sheetFor(view: View, shipment: Labelled): string {
  if (!['US', 'CA'].includes(countryOf(view.order.marketplaceId))) return 'PackageLabel_A4_4';
  return carriedBy(shipment, /^UPS/) ? 'PackageLabel_Letter_2' : 'PackageLabel_Letter_4';
}

/** Label printers: which of the thermal types fits whom stands in the enumeration of the model of v0. */
function thermalFor(shipment: Labelled): string {
  if (!isPartnered(shipment)) return 'PackageLabel_Thermal_NonPCP';
  if (carriedBy(shipment, /^UPS/)) return 'PackageLabel_Thermal';
  return carriedBy(shipment, /^DHL/) ? 'PackageLabel_Thermal_No_Carrier_Rotation' : 'PackageLabel_Thermal_Unified';
}

/** Labels of boxes from one on, as many as an answer holds; their link is good for minutes only. */
async function part({ api, account }: Turn, shipment: Labelled, pageType: string, start: number): Promise<Readable> {
  const path = `/fba/inbound/v0/shipments/${encodeURIComponent(shipment.shipmentNo)}/labels`;
  const query = { PageType: pageType, LabelType: 'UNIQUE', PageSize: MOST_LABELS, PageStartIndex: start };
  const { payload } = await get<{ payload?: { DownloadURL?: string } }>(api, 'getLabels', path, query);
  if (!payload?.DownloadURL) throw new Error('no link to the labels');
  return paperAt(account, payload.DownloadURL);
}

/** All labels of a shipment as one file in the store. */
async function stored(turn: Turn, shipment: Labelled, pageType: string) {
  const { view, runtime, companyId } = turn;
  const boxes = view.boxes.filter((box) => box.shipmentId === shipment.shipmentId).length;
  if (boxes <= MOST_LABELS) return runtime.files.put(companyId, await part(turn, shipment, pageType, 0));
  const parts: Uint8Array[] = [];
  for (let start = 0; start < boxes; start += MOST_LABELS) {
    parts.push(await buffer(await part(turn, shipment, pageType, start)));
  }
  return runtime.files.put(companyId, Readable.from([await joinPdfs(parts)]));
}

/** Those for label printers are beside the others: where Amazon has none, the goods go with sheets of paper. */
async function thermal(turn: Turn, shipment: Labelled) {
  try {
    return await stored(turn, shipment, thermalFor(shipment));
  } catch (error) {
    if (!(error instanceof ApiRefused)) throw error;
    turn.runtime.log.warn({ err: error, shipmentNo: shipment.shipmentNo }, 'no labels for label printers');
    return undefined;
  }
}

/** Keeps Amazon's PDFs of the box labels of the first shipment that has none yet, on sheets and for label printers. */
export async function downloadLabels(turn: Turn): Promise<void> {
  const { view } = turn;
  const shipment = view.shipments.find(({ labelFileId }) => labelFileId === null);
  if (!shipment) return endTurn(turn, { stage: 'labels' });
  const sheets = await stored(turn, shipment, sheetFor(view, shipment));
  const roll = await thermal(turn, shipment);
  return endTurn(turn, { stage: 'labels' }, async (ctx) => {
    const pdf = { mediaType: 'application/pdf', purpose: 'label' };
    const labelFileId = await recordFile(ctx, sheets, { ...pdf, name: `箱标签-${shipment.shipmentNo}.pdf` });
    const thermalFileId =
      roll === undefined
        ? null
        : await recordFile(ctx, roll, { ...pdf, name: `箱标签-${shipment.shipmentNo}-标签机.pdf` });
    await apply(ctx, view, { shipments: [{ shipmentId: shipment.shipmentId, labelFileId, thermalFileId }] });
  });
}
