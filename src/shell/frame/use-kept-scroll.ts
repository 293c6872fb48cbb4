import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps what was scrolled inside `box` while its tab rests: a hidden subtree has no layout, and not every browser
 * remembers its offsets.
 */
export function useKeptScroll(box: RefObject<HTMLElement | null>): void {
  const offsets = useRef(new Map<Element, { top: number; left: number }>());
  useLayoutEffect(() => {
    const root = box.current;
    if (!root) return;
    for (const [element, { top, left }] of offsets.current) {
      if (!root.contains(element)) offsets.current.delete(element);
      else element.scrollTo({ top, left, behavior: 'instant' });
    }
    const remember = (event: Event) => {
      const element = event.target;
      if (element instanceof Element && element.clientHeight > 0) {
        offsets.current.set(element, { top: element.scrollTop, left: element.scrollLeft });
      }
    };
    root.addEventListener('scroll', remember, { capture: true, passive: true });
    return () => root.removeEventListener('scroll', remember, { capture: true });
  }, [box]);
}
