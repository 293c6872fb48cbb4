const DURATION = 800;

const easeOut = (part: number): number => 1 - (1 - part) ** 3;

/** What is scrolled inside a page: the page itself, its grid, its panes. */
function scrolledIn(root: Element): Element[] {
  return [root, ...root.querySelectorAll('*')].filter((element) => element.scrollTop > 0);
}

/** Takes the page in front back to its top within 800 ms; at once for those who want no motion. */
export function scrollToTop(): void {
  const page = [...document.querySelectorAll<HTMLElement>('.tab-page')].find(
    (each) => each.getClientRects().length > 0,
  );
  if (!page) return;
  const scrolled = scrolledIn(page).map((element) => ({ element, from: element.scrollTop }));
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const begin = performance.now();
  const step = (now: number) => {
    const part = still ? 1 : Math.min(1, (now - begin) / DURATION);
    for (const { element, from } of scrolled) element.scrollTop = from * (1 - easeOut(part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
