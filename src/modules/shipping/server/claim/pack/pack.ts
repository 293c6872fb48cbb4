import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type ZipEntry, zip } from '#kit/server/zip.ts';
import { claimCase } from '../../../contract/claim/claim.ts';
import { shipOrder } from '../../../contract/order.ts';
import { type ClaimFacts, factsOf } from './facts.ts';
import { caseText } from './text.ts';

/** Bytes of papers that one pack may have: they are put together in memory. */
const MOST_BYTES = 100 * 1024 * 1024;

interface Paper {
  folder: string;
  name: string;
  size: number;
  sha256: string;
}

/** Papers that people put to the claim and to its order. */
async function papersOf(ctx: Ctx, { claim, order }: ClaimFacts): Promise<Paper[]> {
  const { rows } = await sql<Paper>`
    SELECT CASE WHEN a.document_id = ${claim.id} THEN 'evidence' ELSE 'shipment' END AS folder, f.name, f.size::int AS size, f.sha256
      FROM kit.attachment AS a JOIN kit.file AS f ON f.company_id = a.company_id AND f.id = a.file_id
     WHERE a.company_id = ${ctx.companyId}
       AND (a.document_type = ${claimCase.name} AND a.document_id = ${claim.id}
            OR a.document_type = ${shipOrder.name} AND a.document_id = ${order.id})
     ORDER BY a.created_at, a.file_id`.execute(ctx.db);
  if (rows.reduce((total, paper) => total + paper.size, 0) > MOST_BYTES) {
    throw refused('附件合计超过100MB，请移除部分附件后再下载证据包', 'B1334');
  }
  return rows;
}

async function companyName(ctx: Ctx): Promise<string> {
  const row = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** The packing list in English: every box with size, weight and content. */
function packingList(facts: ClaimFacts, company: string): Buffer {
  const { claim, order, boxes } = facts;
  return sheetPdf({
    title: 'Packing List',
    company,
    number: order.number,
    head: [
      { title: 'Shipment ID', value: claim.shipmentNo },
      { title: 'Destination', value: [facts.centre, facts.country].filter(Boolean).join(', ') },
      { title: 'Shipped on', value: facts.shippedOn ?? '' },
      { title: 'Carrier', value: order.carrier },
      { title: 'Tracking no.', value: order.trackingNo },
      { title: 'MSKU in question', value: claim.msku },
    ],
    columns: [
      { title: 'Box', share: 1, right: true },
      { title: 'Size (cm)', share: 3 },
      { title: 'Weight (kg)', share: 2, right: true },
      { title: 'Units in question', share: 2, right: true },
      { title: 'Content', share: 6 },
    ],
    rows: boxes.map((box) => [String(box.no), box.size, box.weight, String(box.qty), box.content]),
    totals: [
      String(boxes.length),
      '',
      facts.totalWeight ?? '',
      String(boxes.reduce((total, box) => total + box.qty, 0)),
      order.lines.map((line) => `${line.msku} × ${line.shipped}`).join(', '),
    ],
    landscape: true,
  });
}

/** 证据包 of a claim: the case text, the packing list, and the papers of the claim and of its ship order. @throws notFound, refused B1334 */
export async function packOf(open: OpenCtx, id: string): Promise<FileReply> {
  const { runtime, principal } = open;
  const { facts, papers, company, at } = await inTenant(
    runtime,
    principal,
    async (ctx) => {
      const known = await factsOf(ctx, id);
      return { facts: known, papers: await papersOf(ctx, known), company: await companyName(ctx), at: ctx.clock.now() };
    },
    { readOnly: true },
  );
  const files: ZipEntry[] = [
    { name: 'case.txt', data: Buffer.from(caseText(facts)) },
    { name: 'packing-list.pdf', data: packingList(facts, company) },
  ];
  for (const { folder, name, sha256 } of papers) {
    files.push({ name: `${folder}/${name}`, data: await buffer(runtime.files.open(principal.companyId, sha256)) });
  }
  const name = `claim-${facts.claim.shipmentNo || facts.order.number}-${facts.claim.msku}.zip`;
  return new FileReply(name, 'application/zip', zip(files, at));
}
