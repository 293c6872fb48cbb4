/** How products have to be prepared, what has to be said of them for customs and taxes. */
import type { Answer, Call, Operation } from '../operation.ts';
import { text } from '../query.ts';
import { badRequest, read } from './bodies.ts';
import { accepted, failed, offersHere, offersOf, type Work } from './desk.ts';
import { needsLabel, needsPrep, prepComplaint, prepOf } from './prep-rules.ts';
import { complianceBody, prepBody } from './product-bodies.ts';
import type { Outcome } from './types.ts';

/**
 * Merchant SKUs of a query, however they were listed. `%`, `+` and `,` in them come encoded once more than the rest,
 * as the reference says of these operations. Throws 400 for one that the seller does not offer there.
 */
function mskusOf(call: Call, known: ReadonlyMap<string, unknown>): string[] {
  const given = call.query.mskus ?? [];
  const mskus = (Array.isArray(given) ? given : [given])
    .flatMap((one) => one.split(','))
    .map((one) => {
      try {
        return decodeURIComponent(one);
      } catch {
        return one;
      }
    });
  if (mskus.length === 0 || mskus.length > 100) throw badRequest('mskus: between 1 and 100 are required');
  if (mskus.some((msku) => !known.has(msku))) throw badRequest('The requested MSKU is not valid.');
  return mskus;
}

function listPrepDetails(call: Call): Answer {
  const { market, offers } = offersHere(call, text(call.query, 'marketplaceId') ?? '');
  const isUnitedStates = market.countryCode === 'US';
  const mskuPrepDetails = mskusOf(call, offers).map((msku) => {
    const prep = prepOf(call.world, call.account, market.marketplaceId, msku);
    const constraint = (isNeeded: boolean) => (isNeeded ? 'SELLER_ONLY' : 'NONE_ONLY');
    const isKnown = prep.category !== 'UNKNOWN';
    return {
      msku,
      prepCategory: prep.category,
      prepTypes: prep.types,
      ...(isKnown && (isUnitedStates || !needsPrep(prep)) ? { prepOwnerConstraint: constraint(needsPrep(prep)) } : {}),
      ...(isKnown && (isUnitedStates || !needsLabel(prep))
        ? { labelOwnerConstraint: constraint(needsLabel(prep)) }
        : {}),
      ...(isKnown && needsPrep(prep) && needsLabel(prep) ? { allOwnersConstraint: 'MUST_MATCH' } : {}),
    };
  });
  return { body: { mskuPrepDetails } };
}

function setPrepDetails(call: Call): Answer {
  const input = read(prepBody, call.body);
  const { offers } = offersHere(call, input.marketplaceId);
  if (input.mskuPrepDetails.some(({ msku }) => !offers.has(msku))) throw badRequest('The requested MSKU is not valid.');
  return accepted(call, { input });
}

/** Takes down how products are prepared, unless a category and its prep types do not fit. */
export function judgePrep({ asked }: Work): Outcome {
  const { marketplaceId, mskuPrepDetails } = read(prepBody, asked.input);
  for (const { msku, prepCategory, prepTypes } of mskuPrepDetails) {
    const complaint = prepComplaint(prepCategory, prepTypes);
    if (complaint)
      return failed(`Prep details of ${msku} are invalid: ${complaint}.`, {
        details: `There's an input error with the resource '${msku}'.`,
      });
  }
  const prep = mskuPrepDetails.map(({ msku, prepCategory, prepTypes }) => ({
    marketplaceId,
    msku,
    category: prepCategory,
    types: prepTypes,
  }));
  return { change: { prep } };
}

function listItemComplianceDetails(call: Call): Answer {
  const { market, offers } = offersHere(call, text(call.query, 'marketplaceId') ?? '');
  const complianceDetails = mskusOf(call, offers).map((msku) => {
    const product = offers.get(msku)?.product;
    const said = call.world.inbound.compliance(call.account, market.marketplaceId, msku);
    return { msku, asin: product?.asin, fnsku: product?.fnsku, ...(said ? { taxDetails: said.taxDetails } : {}) };
  });
  return { body: { complianceDetails } };
}

function updateItemComplianceDetails(call: Call): Answer {
  const marketplaceId = text(call.query, 'marketplaceId') ?? '';
  const { offers } = offersHere(call, marketplaceId);
  const body = read(complianceBody, call.body);
  if (!offers.has(body.msku)) throw badRequest('The requested msku does not exist for the specified marketplace.');
  return accepted(call, { optionId: marketplaceId, input: body });
}

/** Takes down what is said of a product for customs and taxes. */
export function judgeCompliance({ world, account, asked, now }: Work): Outcome {
  const marketplaceId = asked.optionId ?? '';
  const { msku, taxDetails } = read(complianceBody, asked.input);
  if (!offersOf(world, account, marketplaceId, now).has(msku)) return failed('The requested MSKU is not valid.');
  return { change: { compliance: [{ marketplaceId, msku, taxDetails }] } };
}

const ITEMS = '/inbound/fba/2024-03-20/items';

/** Preparation and compliance of products. */
export const prepOperations: Operation[] = [
  {
    name: 'listPrepDetails',
    method: 'GET',
    path: `${ITEMS}/prepDetails`,
    plan: { rate: 2, burst: 6 },
    handle: listPrepDetails,
  },
  {
    name: 'setPrepDetails',
    method: 'POST',
    path: `${ITEMS}/prepDetails`,
    plan: { rate: 2, burst: 30 },
    handle: setPrepDetails,
  },
  {
    name: 'listItemComplianceDetails',
    method: 'GET',
    path: `${ITEMS}/compliance`,
    plan: { rate: 2, burst: 6 },
    handle: listItemComplianceDetails,
  },
  {
    name: 'updateItemComplianceDetails',
    method: 'PUT',
    path: `${ITEMS}/compliance`,
    plan: { rate: 2, burst: 6 },
    handle: updateItemComplianceDetails,
  },
];
