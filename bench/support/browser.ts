import { type Browser, type BrowserContext, chromium as launcher, type Page } from '@playwright/test';
import executable from '../../test/browser/support/executable.ts';

/** The Chromium that comes from npm, without a screen and without a graphics card. */
export async function openBrowser(): Promise<Browser> {
  return launcher.launch({ executablePath: await executable(), args: ['--no-sandbox', '--disable-gpu'] });
}

/** A browser with an empty cache in which somebody is logged in, if `session` says who. */
export async function visitor(browser: Browser, session: Record<string, string> = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: 'zh-CN' });
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, session);
  return context;
}

export interface Frames {
  perSecond: number;
  /** Share of the frames that a 60 Hz screen would have shown and this page did not, 0 to 1. */
  dropped: number;
  /** Longest time between two frames, ms. */
  worstMs: number;
}

/** Scrolls an element down by `step` px a frame for `ms` milliseconds and counts the frames that came. */
export function scrolled(page: Page, selector: string, ms: number, step: number): Promise<Frames> {
  return page.evaluate(
    async ([target, time, pixels]) => {
      const box = document.querySelector(target);
      if (!box) throw new Error(`nothing to scroll: ${target}`);
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      box.scrollTop = 0;
      await frame();
      const begin = await frame();
      const gaps: number[] = [];
      let before = begin;
      while (before - begin < time) {
        box.scrollTop += pixels;
        const now = await frame();
        gaps.push(now - before);
        before = now;
      }
      if (box.scrollTop < pixels * 10) throw new Error(`${target} does not scroll`);
      const seconds = (before - begin) / 1000;
      return {
        perSecond: gaps.length / seconds,
        dropped: Math.max(0, 1 - gaps.length / (seconds * 60)),
        worstMs: Math.max(...gaps),
      };
    },
    [selector, ms, step] as const,
  );
}
