import { createElement, Fragment, type ReactNode } from 'react';
import { cutAtHits } from './guide.ts';

/** Parts that keep their places, one after the other: nothing can move, so nothing needs a key. */
export function sequence(parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...parts);
}

/** `text` with every word of the search marked. */
export function Marked({ text, search }: { text: string; search: string }) {
  return sequence(
    cutAtHits(text, search).map((part, index) => (index % 2 === 1 ? createElement('mark', null, part) : part)),
  );
}
