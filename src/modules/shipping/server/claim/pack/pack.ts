import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type ZipEntry, zip } from '#kit/server/zip.ts';
import { type LocalProduct, localProducts } from '#modules/product/server/index.ts';
import { VIEW as SEES_PURCHASES } from '#modules/purchase/contract/fields.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { type PurchaseProof, purchaseProofs } from '#modules/purchase/server/index.ts';
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

/** Papers that people put to the claim, to its order, and to the orders by which its goods were bought. */
async function papersOf(ctx: Ctx, { claim, order }: ClaimFacts, bought: readonly PurchaseProof[]): Promise<Paper[]> {
  const numbers = JSON.stringify(Object.fromEntries(bought.map(({ id, number }) => [id, number])));
  const { rows } = await sql<Paper>`
    SELECT CASE WHEN a.document_id = ${claim.id} THEN 'evidence' WHEN a.document_id = ${order.id} THEN 'shipment'
                ELSE 'purchase/' || (${numbers}::jsonb ->> a.document_id::text) END AS folder,
           f.name, f.size::int AS size, f.sha256
      FROM kit.attachment AS a JOIN kit.file AS f ON f.company_id = a.company_id AND f.id = a.file_id
     WHERE a.company_id = ${ctx.companyId}
       AND (a.document_type = ${claimCase.name} AND a.document_id = ${claim.id}
            OR a.document_type = ${shipOrder.name} AND a.document_id = ${order.id}
            OR a.document_type = ${purchaseOrder.name} AND a.document_id = ANY (${bought.map(({ id }) => id)}::uuid[]))
     ORDER BY a.created_at, a.file_id`.execute(ctx.db);
  if (rows.reduce((total, paper) => total + paper.size, 0) > MOST_BYTES) {
    throw refused('附件合计超过100MB，请移除部分附件后再下载证据包', 'B1334');
  }
  return rows;
}

/** The orders by which the goods were bought, for whoever may see such orders. */
async function boughtBy(ctx: Ctx, { claim, order, shippedOn }: ClaimFacts): Promise<PurchaseProof[]> {
  if (!can(ctx, SEES_PURCHASES)) return [];
  const line = order.lines.find((one) => one.msku === claim.msku);
  const products = order.parts.filter((part) => part.line === line?.id).map(({ product }) => product);
  return purchaseProofs(ctx, products, shippedOn ?? ctx.clock.today());
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
      { title: 'Tracking no.', share: 3 },
      { title: 'Size (cm)', share: 3 },
      { title: 'Weight (kg)', share: 2, right: true },
      { title: 'Units in question', share: 2, right: true },
      { title: 'Missing', share: 2, right: true },
      { title: 'Content', share: 5 },
      { title: 'Finding', share: 4 },
    ],
    rows: boxes.map((box) => [
      String(box.no),
      box.trackingNo,
      box.size,
      box.weight,
      String(box.qty),
      String(box.missing),
      box.content,
      box.score === null ? box.finding : `${box.finding} (${box.score}/100)`,
    ]),
    totals: [
      String(boxes.length),
      '',
      '',
      facts.totalWeight ?? '',
      String(boxes.reduce((total, box) => total + box.qty, 0)),
      String(boxes.reduce((total, box) => total + box.missing, 0)),
      '',
      '',
    ],
    landscape: true,
  });
}

/** The orders by which the goods were bought, in English, without prices. */
function purchaseList(
  { order }: ClaimFacts,
  proofs: readonly PurchaseProof[],
  goods: ReadonlyMap<string, Pick<LocalProduct, 'sku' | 'name'>>,
  company: string,
): Buffer {
  return sheetPdf({
    title: 'Purchase Orders',
    company,
    number: order.number,
    head: [],
    columns: [
      { title: 'Order', share: 3 },
      { title: 'Ordered on', share: 2 },
      { title: 'Supplier', share: 5 },
      { title: 'Product', share: 5 },
      { title: 'Ordered', share: 2, right: true },
      { title: 'Received', share: 2, right: true },
    ],
    rows: proofs.flatMap((proof) =>
      proof.lines.map((line) => {
        const product = goods.get(line.product);
        const name = product ? `${product.sku} ${product.name}` : '';
        return [proof.number, proof.placedOn, proof.supplier, name, String(line.qty), String(line.received)];
      }),
    ),
  });
}

/**
 * 证据包 of a claim: the case text, the packing list, the orders by which the goods were bought, and the papers
 * of the claim and of these orders. @throws notFound, refused B1334
 */
export async function packOf(open: OpenCtx, id: string): Promise<FileReply> {
  const { runtime, principal } = open;
  const { facts, proofs, goods, papers, company, at } = await inTenant(
    runtime,
    principal,
    async (ctx) => {
      const known = await factsOf(ctx, id);
      const proofs = await boughtBy(ctx, known);
      return {
        facts: known,
        proofs,
        goods: await localProducts(
          ctx,
          known.order.parts.map(({ product }) => product),
        ),
        papers: await papersOf(ctx, known, proofs),
        company: await companyName(ctx),
        at: ctx.clock.now(),
      };
    },
    { readOnly: true },
  );
  const files: ZipEntry[] = [
    { name: 'case.txt', data: Buffer.from(caseText(facts)) },
    { name: 'packing-list.pdf', data: packingList(facts, company) },
    ...(proofs.length > 0 ? [{ name: 'purchase-orders.pdf', data: purchaseList(facts, proofs, goods, company) }] : []),
  ];
  for (const { folder, name, sha256 } of papers) {
    files.push({ name: `${folder}/${name}`, data: await buffer(runtime.files.open(principal.companyId, sha256)) });
  }
  const name = `claim-${facts.claim.shipmentNo || facts.order.number}-${facts.claim.msku}.zip`;
  return new FileReply(name, 'application/zip', zip(files, at));
}
