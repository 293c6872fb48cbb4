/** The storage behind labels and papers: short-lived links to PDF files that are made when they are fetched. */
import type { FastifyInstance } from 'fastify';
import { breakConnection, hang, htmlError } from '../breakage.ts';
import type { World } from '../world.ts';
import { itemSheet, type Label, labelPages, SHEETS } from './label-pages.ts';
import { pdfOf } from './pdf.ts';

/** How long a link is good, ms of the throttle clock. */
export const LINK_LIFE_MS = 5 * 60_000;

/** What a file shows. Labels are numbered, so that a link stays short. */
export type Paper =
  | { kind: 'boxes'; pageType: string; reference: string; warehouse: string; numbers: number[]; total: number }
  | { kind: 'pallets'; pageType: string; reference: string; warehouse: string; pallets: number }
  | { kind: 'lading'; reference: string; warehouse: string; carrier: string; boxes: number; pallets: number }
  | {
      kind: 'items';
      pageType?: string;
      size?: [number, number];
      items: [fnsku: string, title: string, count: number][];
    };

type Sealed = Paper & { until: number };

/** The address of a file, good for five minutes. */
export function paperLink(world: World, paper: Paper): string {
  const sealed: Sealed = { ...paper, until: world.throttleClock.now() + LINK_LIFE_MS };
  return `${world.publicUrl}/inbound-docs/${paper.kind}.pdf?d=${encodeURIComponent(world.mint.seal(sealed))}`;
}

function pagesOf(paper: Paper) {
  if (paper.kind === 'items') {
    const labels = paper.items.flatMap(([code, title, count]) =>
      Array.from({ length: count }, (): Label => ({ code, lines: [title.slice(0, 50), 'New'] })),
    );
    const [width, height] = paper.size ?? [0, 0];
    const points = (millimetres: number): number => Math.round((millimetres * 72) / 25.4);
    const sheet = paper.pageType
      ? itemSheet(paper.pageType)
      : { width: points(width), height: points(height), columns: 1, rows: 1 };
    return labelPages(sheet, labels);
  }
  const { reference, warehouse } = paper;
  const to = `SHIP TO: ${warehouse}`;
  if (paper.kind === 'lading') {
    const lines = [to, `Carrier: ${paper.carrier}`, `Pallets: ${paper.pallets}`, `Boxes: ${paper.boxes}`];
    return labelPages({ width: 612, height: 792, columns: 1, rows: 1 }, [
      { code: `BILL OF LADING ${reference}`, lines },
    ]);
  }
  const sheet = SHEETS[paper.pageType] ?? { width: 288, height: 432, columns: 1, rows: 1 };
  if (paper.kind === 'boxes') {
    const labels = paper.numbers.map((number) => ({
      code: `${reference}U${String(number).padStart(6, '0')}`,
      lines: ['FBA', to, `Box ${number} of ${paper.total}`],
    }));
    return labelPages(sheet, labels);
  }
  // Four labels for each pallet, one for each side.
  const labels = Array.from({ length: paper.pallets * 4 }, (_, index) => ({
    code: reference,
    lines: ['FBA PALLET', to, `Pallet ${Math.floor(index / 4) + 1} of ${paper.pallets}`],
  }));
  return labelPages(sheet, labels);
}

/** GET /inbound-docs/:file : labels and papers. No token, only what the link itself holds. */
export function registerInboundDocuments(server: FastifyInstance, world: World): void {
  server.get<{ Querystring: { d?: string } }>('/inbound-docs/:file', async (request, reply) => {
    const opened = world.mint.open(request.query.d ?? '');
    const xml = (code: string) =>
      reply.code(403).type('application/xml').send(`<?xml version="1.0"?>\n<Error><Code>${code}</Code></Error>`);
    if (typeof opened !== 'object' || opened === null || !('kind' in opened)) return xml('SignatureDoesNotMatch');
    const paper = opened as Sealed;
    const target = { operation: 'downloadLabels', path: request.url };
    if (world.throttleClock.now() > paper.until || world.faults.strike('documentExpired', target))
      return xml('AccessDenied');
    const timeout = world.faults.strike('timeoutBefore', target) ?? world.faults.strike('timeoutAfter', target);
    if (timeout) return hang(reply, timeout.ms);
    const broken = world.faults.strike('serverError', target);
    if (broken) return htmlError(reply, broken.status ?? 503);
    const file = pdfOf(pagesOf(paper));
    if (world.faults.strike('connectionReset', target)) return breakConnection(reply, file, 'application/pdf');
    return reply.type('application/pdf').send(file);
  });
}
