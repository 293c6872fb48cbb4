/** Is told of a step through the browser's history before the router is, and may keep it from him. */
export type OnStep = (event: PopStateEvent) => void;

let guard: OnStep | undefined;

/** Begins to listen. To be called before the router begins: browsers tell whoever came first first. */
export function watchSteps(): void {
  window.addEventListener('popstate', (event) => guard?.(event));
}

/** Lets one guard look at every step; answers how it stops. */
export function guardSteps(onStep: OnStep): () => void {
  guard = onStep;
  return () => {
    if (guard === onStep) guard = undefined;
  };
}
