/** Box and pallet labels and the bill of lading: only v0 has them. Paths name shipments as labels do, "FBA15…". */
import type { SimMarketplace } from '../../business/types.ts';
import { SpApiError } from '../errors.ts';
import type { Answer, Call } from '../operation.ts';
import { list, text } from '../query.ts';
import { confirmedShipments } from './desk.ts';
import { paperLink } from './documents.ts';
import { SHEETS } from './label-pages.ts';
import { boxNumbers } from './shapes.ts';
import { statusOf } from './status.ts';
import type { Plan, Shipment } from './types.ts';

const LABEL_TYPES = ['BARCODE_2D', 'UNIQUE', 'PALLET'];
/** Labels of a page; more boxes than that are only printed page by page, as callers report (issues 387 and 406 of the models). */
const MOST_LABELS = 1000;
/** Boxes that may be named. */
const MOST_NAMED = 999;

/** 400 as v0 words it: what is wrong stands in the message. */
export const wrong = (message: string, code = 'InvalidInput'): SpApiError => new SpApiError(400, code, message);

/** The shipment whose labels bear this number. Throws 400. */
export function numbered(call: Call): { plan: Plan; shipment: Shipment } {
  const { shipmentId } = call.params;
  for (const plan of call.world.inbound.plansOf(call.account)) {
    const shipment = confirmedShipments(plan).find((one) => one.confirmationId === shipmentId);
    if (shipment) return { plan, shipment };
  }
  throw wrong(`Invalid shipment id: ${shipmentId}`);
}

function pageTypeOf(call: Call, market: SimMarketplace): string {
  const pageType = text(call.query, 'PageType') ?? '';
  if (!Object.hasOwn(SHEETS, pageType)) throw wrong(`PageType: '${pageType}' is not a page type`);
  if (pageType.includes('Letter') && !['US', 'CA'].includes(market.countryCode)) {
    throw wrong(`PageType ${pageType} is not supported in marketplace ${market.countryCode}`);
  }
  return pageType;
}

/** Thermal labels are made for Amazon's partners or for all others, as the enumeration of the model says. */
function checkThermal(pageType: string, { transportation, confirmationId }: Shipment): void {
  if (!pageType.startsWith('PackageLabel_Thermal')) return;
  const forOthers = pageType === 'PackageLabel_Thermal_NonPCP';
  if (transportation && transportation.partnered === forOthers) {
    throw wrong(`PageType ${pageType} is not supported for shipment ${confirmationId}`);
  }
}

function counted(call: Call, name: string): number | undefined {
  const value = text(call.query, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw wrong(`${name}: a whole number is expected`);
  return Number(value);
}

/** Which boxes are printed, by their place: those that are named, else a page of all. */
function placesOf(call: Call, shipment: Shipment): number[] {
  const all = boxNumbers(shipment);
  const named = list(call.query, 'PackageLabelsToPrint', Number.POSITIVE_INFINITY);
  if (named.length > MOST_NAMED) throw wrong(`PackageLabelsToPrint: at most ${MOST_NAMED} values are allowed`);
  const foreign = named.filter((one) => !all.includes(one));
  if (foreign.length > 0) {
    const message = `Provided SellerCartonIds are not valid: [[${foreign.join(', ')}]] for Shipment: [${shipment.confirmationId}]`;
    throw wrong(message, 'IncorrectPackageIdentifier');
  }
  if (named.length > 0) return named.map((one) => all.indexOf(one) + 1);
  const size = counted(call, 'PageSize');
  const start = counted(call, 'PageStartIndex');
  const { transportation, confirmationId } = shipment;
  if (
    transportation &&
    !transportation.partnered &&
    transportation.mode === 'FREIGHT_LTL' &&
    (size === undefined || start === undefined)
  ) {
    throw wrong(
      `pageSize must be provided for Non-Partnered and LTL Shipments. Cannot print labels [shipmentId=${confirmationId}]`,
    );
  }
  if (size !== undefined && (size < 1 || size > MOST_LABELS)) throw wrong('PageSize: must lie between 1 and 1000');
  if (size === undefined && all.length > MOST_LABELS) {
    throw wrong(
      `pageSize must be provided for shipments of more than ${MOST_LABELS} packages. Cannot print labels [shipmentId=${confirmationId}]`,
    );
  }
  const places = all.map((_, index) => index + 1);
  return places.slice(start ?? 0, (start ?? 0) + (size ?? MOST_LABELS));
}

/** Labels are printed, and with them the goods are ready to go. */
export function getLabels(call: Call): Answer {
  const { plan, shipment } = numbered(call);
  const market = call.world.marketplace(plan.marketplaceId);
  const pageType = pageTypeOf(call, market);
  const labelType = text(call.query, 'LabelType') ?? '';
  if (!LABEL_TYPES.includes(labelType)) throw wrong(`LabelType: '${labelType}' is not a label type`);
  const { confirmationId: reference = '', warehouse, transportation } = shipment;
  if (!transportation) throw wrong(`Transportation is not confirmed. Cannot print labels [shipmentId=${reference}]`);
  checkThermal(pageType, shipment);
  const DownloadURL = labelType === 'PALLET' ? palletLabels(call, shipment, pageType) : boxLabels();
  if (statusOf(shipment, call.now) === 'WORKING') {
    const phases = printed(shipment, call.now);
    const { sellingPartnerId, region } = call.account;
    const change = {
      sellingPartnerId,
      region,
      planId: plan.planId,
      shipments: [{ shipmentId: shipment.shipmentId, phases }],
    };
    call.world.command({ type: 'inboundChanged', at: call.now, change });
  }
  return { body: { payload: { DownloadURL } } };

  function boxLabels(): string {
    const numbers = placesOf(call, shipment);
    if (numbers.length === 0)
      throw wrong(
        'We are not able to fetch labels. It is possible you use incorrect number of total packages and page index.',
      );
    return paperLink(call.world, {
      kind: 'boxes',
      pageType,
      reference,
      warehouse,
      numbers,
      total: boxNumbers(shipment).length,
    });
  }
}

/** READY_TO_SHIP from now on, whatever is still to come. */
function printed({ phases }: Shipment, now: number): Shipment['phases'] {
  const past = phases.filter(({ at }) => at <= now);
  const planned = phases.filter(({ at, status }) => at > now && status !== 'READY_TO_SHIP');
  return [...past, { status: 'READY_TO_SHIP', at: now }, ...planned];
}

function palletLabels(
  call: Call,
  { pallets, confirmationId: reference = '', warehouse }: Shipment,
  pageType: string,
): string {
  const actual = pallets.reduce((sum, { quantity }) => sum + quantity, 0);
  const asked = counted(call, 'NumberOfPallets') ?? actual;
  if (asked !== actual || actual === 0)
    throw wrong(`Sent request for ${asked} pallets. Actual pallet count is: ${actual} `);
  return paperLink(call.world, { kind: 'pallets', pageType, reference, warehouse, pallets: actual });
}

/** The bill of lading of freight that Amazon's partner fetches. */
export function getBillOfLading(call: Call): Answer {
  const { shipment } = numbered(call);
  const { transportation, confirmationId: reference = '', warehouse, boxes, pallets } = shipment;
  if (transportation?.mode !== 'FREIGHT_LTL' || !transportation.partnered) {
    throw wrong(`A bill of lading exists for Amazon-partnered freight only [shipmentId=${reference}]`);
  }
  const DownloadURL = paperLink(call.world, {
    kind: 'lading',
    reference,
    warehouse,
    carrier: transportation.carrier.name,
    boxes: boxes.reduce((sum, { quantity }) => sum + quantity, 0),
    pallets: pallets.reduce((sum, { quantity }) => sum + quantity, 0),
  });
  return { body: { payload: { DownloadURL } } };
}
