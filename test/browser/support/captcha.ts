import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { DATA_DIR } from '../../../playwright.config.ts';

/** Address of the embedded database of the product under test. */
export async function databaseUrl(): Promise<string> {
  const password = (await readFile(join(DATA_DIR, 'postgres.password'), 'utf8')).trim();
  const port = (await readFile(join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://postgres:${password}@127.0.0.1:${port}/erp`;
}

/** Only the captcha's answer is read there. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
  return client;
}

/** Where the hole of the newest slider picture is, in a picture 310 wide. */
export async function sliderAnswer(): Promise<number> {
  const client = await connect();
  try {
    const { rows } = await client.query<{ answer: { x: number } }>(
      "SELECT answer FROM identity.captcha_challenge WHERE type = 'blockPuzzle' ORDER BY created_at DESC LIMIT 1",
    );
    const [row] = rows;
    if (!row) throw new Error('no captcha was asked for');
    return row.answer.x;
  } finally {
    await client.end();
  }
}

/** Drags the slider's handle by `distance` px, at the pace of a hand. */
export async function drag(page: Page, distance: number): Promise<void> {
  const handle = page.getByRole('slider');
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
