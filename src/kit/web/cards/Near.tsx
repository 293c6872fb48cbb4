import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Pixels before the edge of the page at which a card begins to load. */
const AHEAD = '300px';

/** Makes its contents when they come near what is seen of the page, or at once, and keeps them from then on. */
export function Near({ atOnce, children }: { atOnce: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || near) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      // Only of the element that scrolls does a margin count.
      { root: element.closest('.page-cards-body'), rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  useEffect(() => {
    if (atOnce) setNear(true);
  }, [atOnce]);
  return near ? children : <div ref={place} className="card is-far" />;
}
