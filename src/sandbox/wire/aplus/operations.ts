import { randomUUID } from 'node:crypto';
import { invalidInput, SpApiError, unauthorized } from '../errors.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { cutPage, openPage } from '../paging.ts';
import { list, listOf, text } from '../query.ts';
import { accountKey } from '../world.ts';
import { asinComplaints, asinShape, documentsOn, metadataOf } from './documents.ts';
import { contentComplaints } from './judge.ts';
import { changeTime, reviewDelay } from './settle.ts';
import type { AplusDocument, Complaint, Fields } from './state.ts';

const TOKEN_LIFE_MS = 24 * 3_600_000;
const PAGE = 20;
const MOST_ASINS = 1000;

const WRONG = 'The request is not valid, please check the inputs and try again.';

function wrong(details: string): SpApiError {
  return new SpApiError(400, 'InvalidInput', WRONG, details);
}

/** The marketplace of a call. Throws 400, and 403 for one of others or a seller without a registered brand. */
function siteOf({ world, account, query }: Call): string {
  const marketplaceId = text(query, 'marketplaceId');
  if (marketplaceId === undefined) throw invalidInput('marketplaceId: is required');
  if (!account.marketplaceIds.includes(marketplaceId)) {
    throw unauthorized(`The seller does not sell in marketplace ${marketplaceId}`);
  }
  if (!world.aplus.hasBrand(accountKey(account))) {
    throw unauthorized('The seller has no brand that is registered for A+ content.');
  }
  return marketplaceId;
}

function existing(call: Call): AplusDocument {
  const marketplaceId = siteOf(call);
  const { contentReferenceKey: key } = call.params;
  const document = documentsOn(call.world, call.account, marketplaceId).find((one) => one.key === key);
  if (!document) throw new SpApiError(404, 'NotFound', `The content document '${key}' does not exist.`);
  return document;
}

function put(call: Call, document: AplusDocument): void {
  call.world.command({ type: 'aplusDocument', document });
}

/** The document that a call brings. Throws 400 where there is none. */
function sentContent({ body }: Call): Fields {
  const content: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'contentDocument') : undefined;
  if (typeof content !== 'object' || content === null) throw invalidInput('contentDocument: is required');
  return { ...content };
}

function complaintsOf(call: Call, content: Fields): Complaint[] {
  const { world, account, query } = call;
  return contentComplaints(content, {
    market: world.marketplace(String(text(query, 'marketplaceId'))),
    pictureOf: (id) => {
      const picture = world.aplus.picture(id);
      const isMine = picture?.sellingPartnerId === account.sellingPartnerId && picture.region === account.region;
      return isMine ? picture : undefined;
    },
  });
}

/** Refuses with every complaint. */
function insistOnNone(complaints: readonly Complaint[]): void {
  const [first, ...more] = complaints.map(({ code, message, details }) => new SpApiError(400, code, message, details));
  if (!first) return;
  first.also.push(...more);
  throw first;
}

function search(call: Call): Answer {
  const marketplaceId = siteOf(call);
  const open = openPage(call, 'pageToken', text(call.query, 'pageToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, documentsOn(call.world, call.account, marketplaceId), PAGE);
  return {
    body: {
      warnings: [],
      ...(nextToken === undefined ? {} : { nextPageToken: nextToken }),
      contentMetadataRecords: page.map((one) => ({
        contentReferenceKey: one.key,
        contentMetadata: metadataOf(one),
      })),
    },
  };
}

function create(call: Call): Answer {
  const marketplaceId = siteOf(call);
  const content = sentContent(call);
  insistOnNone(complaintsOf(call, content));
  const { sellingPartnerId, region } = call.account;
  const key = randomUUID();
  put(call, {
    sellingPartnerId,
    region,
    marketplaceId,
    key,
    content,
    status: 'DRAFT',
    badges: ['STANDARD'],
    updatedAt: changeTime(call.world),
    asins: [],
    live: [],
    reasons: [],
  });
  return { body: { warnings: [], contentReferenceKey: key } };
}

/** A published document that is changed is a draft again; buyers see the old content until the new one is approved. */
function update(call: Call): Answer {
  const document = existing(call);
  if (document.foreign !== undefined)
    throw wrong(`Unsupported content module type [${document.foreign}], unable to proceed.`);
  if (document.status === 'SUBMITTED') throw wrong('A content document in review cannot be changed.');
  const content = sentContent(call);
  insistOnNone(complaintsOf(call, content));
  put(call, { ...document, content, status: 'DRAFT', reasons: [], updatedAt: changeTime(call.world, document) });
  return { body: { warnings: [], contentReferenceKey: document.key } };
}

function get(call: Call): Answer {
  const wanted = listOf(call.query, 'includedDataSet', ['CONTENTS', 'METADATA']);
  if (wanted.length === 0) throw invalidInput('includedDataSet: is required');
  const document = existing(call);
  if (document.foreign !== undefined && wanted.includes('CONTENTS')) {
    throw wrong(`Unsupported content module type [${document.foreign}], unable to proceed.`);
  }
  return {
    body: {
      warnings: document.reasons.map((one) => ({ ...one })),
      contentRecord: {
        contentReferenceKey: document.key,
        ...(wanted.includes('METADATA') ? { contentMetadata: metadataOf(document) } : {}),
        ...(wanted.includes('CONTENTS') ? { contentDocument: document.content } : {}),
      },
    },
  };
}

function listAsins(call: Call): Answer {
  const withMetadata = listOf(call.query, 'includedDataSet', ['METADATA']).length > 0;
  const document = existing(call);
  const only = list(call.query, 'asinSet', MOST_ASINS);
  const open = openPage(call, 'pageToken', text(call.query, 'pageToken'), TOKEN_LIFE_MS);
  const asins = document.asins.filter((asin) => only.length === 0 || only.includes(asin));
  const { page, nextToken } = cutPage(call, open, asins, PAGE);
  return {
    body: {
      warnings: [],
      ...(nextToken === undefined ? {} : { nextPageToken: nextToken }),
      asinMetadataSet: page.map((asin) => asinShape(call.world, call.account, document, asin, withMetadata)),
    },
  };
}

function asinsSent({ body }: Call): string[] {
  const asins: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'asinSet') : undefined;
  if (!Array.isArray(asins) || !asins.every((one) => typeof one === 'string'))
    throw invalidInput('asinSet: is required');
  if (asins.length > MOST_ASINS) throw invalidInput(`asinSet: at most ${MOST_ASINS} values are allowed`);
  return [...new Set(asins)];
}

/** The set is replaced as a whole: what is not in it loses the content at once, what is new in it waits for an approval. */
function relate(call: Call): Answer {
  const document = existing(call);
  if (document.status === 'SUBMITTED') throw wrong('A content document in review cannot be changed.');
  const asins = asinsSent(call);
  insistOnNone(asinComplaints(call.world, call.account, document.marketplaceId, asins));
  const isMore = asins.some((asin) => !document.asins.includes(asin));
  put(call, {
    ...document,
    asins,
    live: document.live.filter((asin) => asins.includes(asin)),
    status: isMore && document.status === 'APPROVED' ? 'DRAFT' : document.status,
    updatedAt: changeTime(call.world, document),
  });
  return { body: { warnings: [] } };
}

function validate(call: Call): Answer {
  const marketplaceId = siteOf(call);
  const content = sentContent(call);
  const asins = list(call.query, 'asinSet', MOST_ASINS);
  const errors = [...complaintsOf(call, content), ...asinComplaints(call.world, call.account, marketplaceId, asins)];
  const shown = documentsOn(call.world, call.account, marketplaceId).flatMap(({ live }) => live);
  const warnings = asins
    .filter((asin) => shown.includes(asin))
    .map((asin) => ({
      code: 'ASIN_HAS_CONTENT',
      message: 'The ASIN shows another content document, which this one replaces.',
      details: `asinSet: ${asin}`,
    }));
  return { body: { warnings, errors } };
}

function records(call: Call): Answer {
  const marketplaceId = siteOf(call);
  const asin = text(call.query, 'asin');
  if (asin === undefined || asin.length < 10) throw invalidInput('asin: is required');
  const open = openPage(call, 'pageToken', text(call.query, 'pageToken'), TOKEN_LIFE_MS);
  const shown = documentsOn(call.world, call.account, marketplaceId).filter(({ live }) => live.includes(asin));
  const { page, nextToken } = cutPage(call, open, shown, PAGE);
  return {
    body: {
      warnings: [],
      ...(nextToken === undefined ? {} : { nextPageToken: nextToken }),
      publishRecordList: page.map(({ key, content }) => ({
        marketplaceId,
        locale: content.locale,
        asin,
        contentType: content.contentType,
        contentReferenceKey: key,
      })),
    },
  };
}

function submit(call: Call): Answer {
  const { world } = call;
  const document = existing(call);
  if (document.status !== 'DRAFT' && document.status !== 'REJECTED') {
    throw wrong(`A content document that is ${document.status} cannot be submitted.`);
  }
  if (document.asins.length === 0) throw wrong('The content document is related to no ASIN.');
  put(call, {
    ...document,
    status: 'SUBMITTED',
    reasons: [],
    askedAt: world.throttleClock.now(),
    takesMs: reviewDelay(world, document.key),
    updatedAt: changeTime(world, document),
  });
  return { body: { warnings: [] } };
}

function suspend(call: Call): Answer {
  const document = existing(call);
  if (document.live.length === 0) throw wrong('The content document is published on no ASIN.');
  put(call, { ...document, live: [], updatedAt: changeTime(call.world, document) });
  return { body: { warnings: [] } };
}

const DOCUMENTS = '/aplus/2020-11-01/contentDocuments';
const ONE = `${DOCUMENTS}/:contentReferenceKey`;
const plan = { rate: 10, burst: 10 };

const OPERATIONS: Operation[] = [
  { name: 'searchContentDocuments', method: 'GET', path: DOCUMENTS, plan, handle: search },
  { name: 'createContentDocument', method: 'POST', path: DOCUMENTS, plan, handle: create },
  { name: 'getContentDocument', method: 'GET', path: ONE, plan, handle: get },
  { name: 'updateContentDocument', method: 'POST', path: ONE, plan, handle: update },
  { name: 'listContentDocumentAsinRelations', method: 'GET', path: `${ONE}/asins`, plan, handle: listAsins },
  { name: 'postContentDocumentAsinRelations', method: 'POST', path: `${ONE}/asins`, plan, handle: relate },
  {
    name: 'validateContentDocumentAsinRelations',
    method: 'POST',
    path: '/aplus/2020-11-01/contentAsinValidations',
    plan,
    handle: validate,
  },
  {
    name: 'searchContentPublishRecords',
    method: 'GET',
    path: '/aplus/2020-11-01/contentPublishRecords',
    plan,
    handle: records,
  },
  {
    name: 'postContentDocumentApprovalSubmission',
    method: 'POST',
    path: `${ONE}/approvalSubmissions`,
    plan,
    handle: submit,
  },
  {
    name: 'postContentDocumentSuspendSubmission',
    method: 'POST',
    path: `${ONE}/suspendSubmissions`,
    plan,
    handle: suspend,
  },
];

/** A+ Content API 2020-11-01. */
export const aplusOperations: Operation[] = OPERATIONS.map((one) => ({ ...one, noEmptyDetails: true }));
