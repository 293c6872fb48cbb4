import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { adGroups, campaignChoices, campaigns, negatives, productAds, targets, terms } from '../contract/lists.ts';
import { changes, placements } from '../contract/more-lists.ts';
import { adFile, adPage, inUse } from './list/base.ts';
import { adGroupList, campaignList, negativeList, productAdList, targetList, termList } from './list/lists.ts';
import { changeList, placementList } from './list/more-lists.ts';

const CHOICES = 1000;

async function choices(ctx: Ctx): Promise<{ value: string; label: string }[]> {
  const { rows } = await sql<{ value: string; label: string }>`
    SELECT id AS value, name AS label FROM advertising.campaign
     WHERE company_id = ${ctx.companyId} ORDER BY name, id LIMIT ${CHOICES}`.execute(ctx.db);
  return rows;
}

export const routes: AnyRoute[] = [
  serve(campaigns.list, async (ctx, { body }) => adPage(ctx, body, campaignList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(campaigns.export, (open, { body }) =>
    adFile(open, body, async (ctx) => campaignList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(adGroups.list, async (ctx, { body }) => adPage(ctx, body, adGroupList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(adGroups.export, (open, { body }) =>
    adFile(open, body, async (ctx) => adGroupList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(productAds.list, async (ctx, { body }) => adPage(ctx, body, productAdList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(productAds.export, (open, { body }) =>
    adFile(open, body, async (ctx) => productAdList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(targets.list, async (ctx, { body }) => adPage(ctx, body, targetList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(targets.export, (open, { body }) =>
    adFile(open, body, async (ctx) => targetList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(terms.list, async (ctx, { body }) => adPage(ctx, body, termList(ctx, await inUse(ctx, body.filter), body))),
  serveOpen(terms.export, (open, { body }) =>
    adFile(open, body, async (ctx) => termList(ctx, await inUse(ctx, body.filter), body)),
  ),
  serve(negatives.list, async (ctx, { body }) => adPage(ctx, body, negativeList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(negatives.export, (open, { body }) =>
    adFile(open, body, async (ctx) => negativeList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(placements.list, async (ctx, { body }) => adPage(ctx, body, placementList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(placements.export, (open, { body }) =>
    adFile(open, body, async (ctx) => placementList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(changes.list, async (ctx, { body }) => adPage(ctx, body, changeList(ctx, await inUse(ctx, body.filter)))),
  serveOpen(changes.export, (open, { body }) =>
    adFile(open, body, async (ctx) => changeList(ctx, await inUse(ctx, body.filter))),
  ),
  serve(campaignChoices, (ctx) => choices(ctx)),
];
