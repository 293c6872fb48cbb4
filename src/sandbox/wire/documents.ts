import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SimAccount } from '../business/types.ts';
import { breakConnection, hang, htmlError } from './breakage.ts';
import type { FaultTarget } from './faults.ts';
import { type DeskReport, documentContent, parseDocumentId, reportOf } from './report-desk.ts';
import { charsetLabel } from './report-table.ts';
import type { World } from './world.ts';

const LINK_LIFE_MS = 5 * 60_000;

/** A pre-signed path to a document, good for five minutes of the throttle clock. */
export function documentPath(world: World, documentId: string): string {
  const expiresAt = world.throttleClock.now() + LINK_LIFE_MS;
  const signature = world.mint.sign(`${documentId}|${expiresAt}`);
  return `/docs/${encodeURIComponent(documentId)}?exp=${expiresAt}&sig=${signature}`;
}

/** Storage refuses in XML, unlike the API that handed out the link. */
function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return reply.code(status).type('application/xml').send(xml);
}

interface DocumentRequest {
  Params: { documentId: string };
  Querystring: { exp?: string; sig?: string };
}

/** Send the bytes, or what a fault leaves of them. */
function send(world: World, reply: FastifyReply, account: SimAccount, report: DeskReport, target: FaultTarget) {
  const { bytes, charset } = documentContent(world, account, report);
  const wrong = world.faults.strikeDocument('wrongCharset', target, report.documentId ?? '');
  const label = wrong ? (wrong.charset ?? (charset === 'UTF-8' ? 'Cp1252' : 'UTF-8')) : charsetLabel(charset);
  const contentType = `${report.status === 'FATAL' ? 'application/json' : 'text/plain'}; charset=${label}`;
  const zipped = gzipSync(bytes);
  if (world.faults.strike('connectionReset', target)) return breakConnection(reply, zipped, contentType);
  const cut = world.faults.strike('truncatedGzip', target) !== undefined;
  const body = cut ? zipped.subarray(0, Math.max(20, Math.floor(zipped.length * 0.6))) : zipped;
  return reply.header('content-type', contentType).header('content-length', body.length).send(body);
}

/** GET /docs/:id : the storage behind getReportDocument. No token, only the signature of the link. */
export function registerDocuments(server: FastifyInstance, world: World): void {
  server.get<DocumentRequest>('/docs/:documentId', async (request, reply) => {
    const { documentId } = request.params;
    const { exp = '', sig = '' } = request.query;
    if (!world.mint.verify(`${documentId}|${exp}`, sig)) {
      return refuse(reply, 403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
    }
    const parsed = parseDocumentId(documentId);
    const account = parsed && world.account(parsed.sellingPartnerId, parsed.region);
    const report = account && parsed ? reportOf(world, account, parsed.reportId) : undefined;
    if (!account || report?.documentId === undefined) {
      return refuse(reply, 404, 'NoSuchKey', 'The specified key does not exist.');
    }
    const target: FaultTarget = {
      operation: 'downloadDocument',
      reportType: report.reportType,
      path: request.url,
      sellingPartnerId: account.sellingPartnerId,
    };
    if (world.throttleClock.now() > Number(exp) || world.faults.strike('documentExpired', target)) {
      return refuse(reply, 403, 'AccessDenied', 'Request has expired');
    }
    const timeout = world.faults.strike('timeoutBefore', target) ?? world.faults.strike('timeoutAfter', target);
    if (timeout) return hang(reply, timeout.ms);
    const broken = world.faults.strike('serverError', target);
    if (broken) return htmlError(reply, broken.status ?? 503);
    return send(world, reply, account, report, target);
  });
}
