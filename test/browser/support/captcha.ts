import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { dataDirOf } from '../../../playwright.config.ts';
import { expect, test } from './browser.ts';

/** Directory of the data of the product under test. */
export const dataDir = () => dataDirOf(test.info().project.name);

/** Address of the embedded database of the product under test. */
export async function databaseUrl(): Promise<string> {
  const password = (await readFile(join(dataDir(), 'postgres.password'), 'utf8')).trim();
  const port = (await readFile(join(dataDir(), 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://postgres:${password}@127.0.0.1:${port}/erp`;
}

/** Rows of a query on the database of the product under test: what a person reads in a picture or on his phone. */
export async function rowsOf<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function answerOf<T>(type: 'blockPuzzle' | 'clickWord'): Promise<T> {
  const [row] = await rowsOf<{ answer: T }>(
    'SELECT answer FROM identity.captcha_challenge WHERE type = $1 ORDER BY created_at DESC LIMIT 1',
    [type],
  );
  if (!row) throw new Error('no captcha was asked for');
  return row.answer;
}

/** Where the hole of the newest slider picture is, in a picture 310 wide. */
export async function sliderAnswer(): Promise<number> {
  return (await answerOf<{ x: number }>('blockPuzzle')).x;
}

/** Where the asked characters of the newest picture are, in their order, in a picture of 310 by 155. */
export async function wordsAnswer(): Promise<{ x: number; y: number }[]> {
  return (await answerOf<{ points: { x: number; y: number }[] }>('clickWord')).points;
}

const PICTURE = { width: 310, height: 155 };
const SHOWN = 330;

/** Clicks points of the picture one after the other; `off` moves them away from where they should be. */
export async function clickWords(page: Page, points: readonly { x: number; y: number }[], off = 0): Promise<void> {
  const picture = page.getByRole('button', { name: '验证图片' });
  const box = await picture.boundingBox();
  if (!box) throw new Error('the picture is not shown');
  for (const { x, y } of points) {
    const at = (x + off + PICTURE.width) % PICTURE.width;
    await picture.click({ position: { x: (at * box.width) / PICTURE.width, y: (y * box.height) / PICTURE.height } });
  }
}

/** Passes whichever check is asked for, as a person does. */
export async function passCaptcha(page: Page): Promise<void> {
  const piece = page.locator('.captcha-piece');
  const picture = page.getByRole('button', { name: '验证图片' });
  await piece.or(picture).first().waitFor();
  if (await piece.isVisible()) return drag(page, ((await sliderAnswer()) * SHOWN) / PICTURE.width);
  return clickWords(page, await wordsAnswer());
}

/** The newest code that was sent to a phone or mailbox, as the operator's outbox has it. */
export async function sentCode(target: string): Promise<string> {
  let code: string | undefined;
  const sent = async () => {
    const [row] = await rowsOf<{ text: string }>(
      'SELECT text FROM kit.outbox WHERE target = $1 ORDER BY id DESC LIMIT 1',
      [target],
    );
    code = /\d{6}/.exec(row?.text ?? '')?.[0];
    return code;
  };
  // The button counts down before the code is out.
  await expect.poll(sent, { message: `a code sent to ${target}` }).toBeDefined();
  return code ?? '';
}

/** Drags the slider's handle by `distance` px, at the pace of a hand. */
export async function drag(page: Page, distance: number): Promise<void> {
  const handle = page.getByRole('slider');
  // Hovers only over what stands still: the dialog may be on its way in.
  await handle.hover();
  const box = await handle.boundingBox();
  if (!box) throw new Error('the slider is not shown');
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  const steps = 20;
  for (let step = 1; step <= steps; step += 1) {
    await page.mouse.move(x + (distance * step) / steps, y + (step % 3));
    await page.waitForTimeout(25);
  }
  await page.mouse.up();
}
