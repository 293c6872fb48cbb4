import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import {
  awardOffer,
  compareOffers,
  countInquiries,
  dropOffer,
  exportInquiries,
  listInquiries,
  moveInquiry,
  putOffer,
  saveInquiry,
} from '../contract/inquiry.ts';
import { award, moveInquiryRow } from './inquiry/award.ts';
import { comparison, inquiryCounts, inquiryFile, inquiryPage } from './inquiry/list.ts';
import { dropOfferRow, putOfferRow, saveInquiryRow } from './inquiry/save.ts';

export const inquiryRoutes: AnyRoute[] = [
  serve(listInquiries, (ctx, { body }) => inquiryPage(ctx, body)),
  serve(countInquiries, (ctx, { body }) => inquiryCounts(ctx, body.filter)),
  serveOpen(exportInquiries, (open, { body }) => inquiryFile(open, body)),
  serve(saveInquiry, (ctx, { body }) => saveInquiryRow(ctx, body)),
  serve(putOffer, (ctx, { body }) => putOfferRow(ctx, body)),
  serve(dropOffer, (ctx, { body }) => dropOfferRow(ctx, body)),
  serve(compareOffers, (ctx, { body }) => comparison(ctx, body)),
  serve(awardOffer, (ctx, { body }) => award(ctx, body)),
  serve(moveInquiry, (ctx, { body }) => moveInquiryRow(ctx, body)),
];
