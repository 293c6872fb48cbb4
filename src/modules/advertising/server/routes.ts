import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { adGroups, campaignChoices, campaigns, negatives, productAds, targets, terms } from '../contract/lists.ts';
import { adFile, adPage } from './list/base.ts';
import { adGroupList, campaignList, negativeList, productAdList, targetList, termList } from './list/lists.ts';

const CHOICES = 1000;

async function choices(ctx: Ctx): Promise<{ value: string; label: string }[]> {
  const { rows } = await sql<{ value: string; label: string }>`
    SELECT id AS value, name AS label FROM advertising.campaign
     WHERE company_id = ${ctx.companyId} ORDER BY name, id LIMIT ${CHOICES}`.execute(ctx.db);
  return rows;
}

export const routes: AnyRoute[] = [
  serve(campaigns.list, (ctx, { body }) => adPage(ctx, body, campaignList(ctx, body.filter))),
  serveOpen(campaigns.export, (open, { body }) => adFile(open, body, (ctx) => campaignList(ctx, body.filter))),
  serve(adGroups.list, (ctx, { body }) => adPage(ctx, body, adGroupList(ctx, body.filter))),
  serveOpen(adGroups.export, (open, { body }) => adFile(open, body, (ctx) => adGroupList(ctx, body.filter))),
  serve(productAds.list, (ctx, { body }) => adPage(ctx, body, productAdList(ctx, body.filter))),
  serveOpen(productAds.export, (open, { body }) => adFile(open, body, (ctx) => productAdList(ctx, body.filter))),
  serve(targets.list, (ctx, { body }) => adPage(ctx, body, targetList(ctx, body.filter))),
  serveOpen(targets.export, (open, { body }) => adFile(open, body, (ctx) => targetList(ctx, body.filter))),
  serve(terms.list, (ctx, { body }) => adPage(ctx, body, termList(ctx, body.filter))),
  serveOpen(terms.export, (open, { body }) => adFile(open, body, (ctx) => termList(ctx, body.filter))),
  serve(negatives.list, (ctx, { body }) => adPage(ctx, body, negativeList(ctx, body.filter))),
  serveOpen(negatives.export, (open, { body }) => adFile(open, body, (ctx) => negativeList(ctx, body.filter))),
  serve(campaignChoices, (ctx) => choices(ctx)),
];
