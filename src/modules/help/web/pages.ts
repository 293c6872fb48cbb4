import { type GuidePage, readGuide } from './guide.ts';

const files = import.meta.glob<string>('./guide/*.md', { query: '?raw', import: 'default', eager: true });

/** Every page of the guide. */
export const PAGES: readonly GuidePage[] = Object.entries(files).map(([path, text]) =>
  readGuide(path.replace(/^.*\/|\.md$/g, ''), text),
);

/** The page about a screen, by its component key. */
export function pageAbout(component: string | null): GuidePage | undefined {
  return component ? PAGES.find((page) => page.keys.includes(component)) : undefined;
}
