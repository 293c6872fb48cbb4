import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adsSandbox, call, Id, mediaOf, NOW, refusal } from './wire-ads-support.ts';
import { DAY, type Json, listOf } from './wire-support.ts';

adsSandbox();

describe('the history of changes', () => {
  const Event = z.strictObject({
    changeType: z.enum(['BUDGET_AMOUNT', 'BID_AMOUNT', 'STATUS']),
    entityId: Id,
    entityType: z.enum(['CAMPAIGN', 'KEYWORD', 'PRODUCT_TARGETING']),
    metadata: z.object({ campaignId: Id }),
    newValue: z.string(),
    previousValue: z.string(),
    timestamp: z.int(),
  });
  const period = { fromDate: NOW - 40 * DAY, toDate: NOW };
  const ask = (body: object) => call('/history', { body });

  it('tells what was changed of the campaigns named, the newest first; the lists show the last value', async () => {
    const sp = await call('/sp/campaigns/list', { body: {}, media: mediaOf('spCampaign') });
    const named = listOf(((await sp.json()) as Json).campaigns);
    const ids = named.map(({ campaignId }) => String(campaignId)).slice(0, 10);
    const parents = ids.map((campaignId) => ({ campaignId }));
    const eventTypes = { CAMPAIGN: { eventTypeIds: ids }, KEYWORD: { parents }, PRODUCT_TARGETING: { parents } };
    const told = (await (await ask({ ...period, eventTypes, count: 200 })).json()) as Json;
    const events = listOf(told.events).map((one) => Event.parse(one));
    expect(events.length).toBeGreaterThan(1);
    expect(told.totalRecords).toBe(events.length);
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const media = mediaOf('spTargetingClause');
    const clauses = listOf(
      ((await (await call('/sp/targets/list', { body: {}, media })).json()) as Json).targetingClauses,
    );
    const bid = events.find(({ entityType }) => entityType === 'PRODUCT_TARGETING');
    expect(clauses.find(({ targetId }) => String(targetId) === bid?.entityId)?.bid).toBe(Number(bid?.newValue));
    const status = { ...period, eventTypes: { CAMPAIGN: { eventTypeIds: ids, filters: ['STATUS'] } } };
    const states = listOf(((await (await ask(status)).json()) as Json).events);
    expect(states.every(({ changeType }) => String(changeType) === 'STATUS')).toBe(true);
  });

  it('is refused for more than ten ids, more than ninety days, and pages of another length', async () => {
    const eleven = { KEYWORD: { parents: Array.from({ length: 11 }, (_, at) => ({ campaignId: String(at) })) } };
    const one = { CAMPAIGN: { eventTypeIds: ['1'] } };
    for (const body of [
      { ...period, eventTypes: eleven },
      { ...period, eventTypes: {} },
      { ...period, eventTypes: { COLOUR: {} } },
      { ...period, fromDate: NOW - 91 * DAY, eventTypes: one },
      { ...period, count: 10, eventTypes: one },
      { ...period, nextToken: 'forged', eventTypes: one },
      { eventTypes: one },
    ]) {
      expect(await refusal(await ask(body))).toEqual([400, 'BAD_REQUEST']);
    }
    const everything = { CAMPAIGN: { parents: [{ useProfileIdAdvertiser: true }] } };
    expect((await ask({ ...period, eventTypes: everything })).status).toBe(501);
  });
});
