import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOrganisation } from '#modules/approval/contract/config.ts';
import { addDelegation } from '#modules/approval/contract/delegation.ts';
import { simulateFlow, trialDocuments } from '#modules/approval/contract/flows.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { draft, INBOUND, step } from './support.ts';

let world: World;
let house: House;
let lead: Person;
let other: Person;
beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A']);
  [lead, other] = [await world.member(house.owner, []), await world.member(house.owner, [])];
});
afterAll(() => world.close());

it('a flow is tried on a document that somebody finds by its number, and it says who is asked and why', async () => {
  const { owner } = house;
  const [first, second] = [await draft(house, 10), await draft(house, 20)];
  const numbersOf = async (person: Person, keyword = '') =>
    (await person.call(trialDocuments, { body: { docType: INBOUND, keyword } })).map(({ number }) => number);
  expect(await numbersOf(owner)).toEqual([second.number, first.number]);
  expect(await numbersOf(owner, first.number.slice(-4))).toEqual([first.number]);
  expect(await numbersOf(owner, '%')).toEqual([]);
  const stranger = await world.member(owner, ['erp:examine:view']);
  expect((await stranger.send(trialDocuments, { body: { docType: INBOUND } })).status).toBe(403);
  expect((await owner.send(trialDocuments, { body: { docType: 'no.kind' } })).code).toBe(400);

  const now = worldClock().ms();
  const times = {
    startsAt: new Date(now - 60_000).toISOString(),
    endsAt: new Date(now + 86_400_000).toISOString(),
  };
  await lead.call(addDelegation, { body: { toId: other.userId, ...times } });
  const people = (await owner.call(readOrganisation, {})).members;
  const name = (person: Person) => people.find(({ id }) => id === person.userId)?.name ?? '';
  const steps = [
    step('a1', '主管', [lead]),
    step('a2', '老板', [owner], { mode: 'all' }),
    step('a3', '关联人', [], { who: [{ from: 'chosen' }], empty: 'people', emptyPeople: [other.userId] }),
  ];
  const body = { docType: INBOUND, number: first.number, definition: { steps } };
  const { path } = await owner.call(simulateFlow, { body: { ...body, initiator: house.clerk.userId } });
  expect(path.map(({ people: asked, whys, nobody }) => [asked, whys, nobody])).toEqual([
    [[name(other)], [`指定成员，代 ${name(lead)}（委托）`], ''],
    [[name(owner)], ['指定成员'], ''],
    [[], [], `转指定成员 ${name(other)}`],
  ]);
});
