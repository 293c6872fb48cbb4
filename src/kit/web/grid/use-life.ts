import { useLayoutEffect, useState } from 'react';

/**
 * A number that changes whenever the component's tab goes to the back. As a key it makes a part that cannot be taken
 * down and up again start anew: the grid's React wrapper would come back with the props of its first render.
 */
export function useLife(): number {
  const [life, setLife] = useState(0);
  useLayoutEffect(() => () => setLife((count) => count + 1), []);
  return life;
}
