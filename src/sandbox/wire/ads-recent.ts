import type { World } from './world.ts';

const KEPT = 8;

/**
 * Remembers the last few answers of an expensive question for each world: the same report is looked at and downloaded,
 * and reports that are asked for together are made of the same rows. Answers are a function of their key.
 */
export function recent<T>(): (world: World, key: string, make: () => T) => T {
  const worlds = new WeakMap<World, Map<string, T>>();
  return (world, key, make) => {
    const known = worlds.get(world) ?? new Map<string, T>();
    worlds.set(world, known);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make();
    known.set(key, made);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return made;
  };
}
