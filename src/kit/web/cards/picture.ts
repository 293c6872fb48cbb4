import { keep } from '../api/index.ts';

/** What helps to work with a card is not part of its picture. */
const LEFT_OUT = ['card-tools', 'visually-hidden'];

/** A grey square where a picture of another address does not let itself be read. */
const NO_PICTURE =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%221%22 height=%221%22%3E%3Crect width=%221%22 height=%221%22 fill=%22%23999%22/%3E%3C/svg%3E';

/** Saves a card as it is drawn now, in the present theme, at twice its size, as a PNG of that name. */
export async function savePicture(card: HTMLElement, name: string): Promise<void> {
  const [{ toBlob }, { drawnFonts }] = await Promise.all([import('html-to-image'), import('./fonts.ts')]);
  const blob = await toBlob(card, {
    pixelRatio: 2,
    fontEmbedCSS: await drawnFonts(),
    imagePlaceholder: NO_PICTURE,
    backgroundColor: getComputedStyle(card).backgroundColor,
    filter: (node) => !LEFT_OUT.some((each) => node.classList?.contains(each)),
  });
  if (!blob) throw new Error('the browser made no picture');
  keep(blob, `${name}.png`);
}
