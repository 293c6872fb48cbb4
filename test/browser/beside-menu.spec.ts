import { expect, test } from './support/browser.ts';
import { visitor } from './support/visit.ts';

test('forms and pages beside the menu stand without a record', async ({ browser, baseURL }) => {
  const who = await visitor(browser, baseURL);
  expect(await who.besideMenu()).toEqual([]);
  await who.leave();
});
