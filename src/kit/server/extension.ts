import type { ModuleDef } from './module.ts';

/** A place where higher modules add to a lower one without its knowing them, e.g. streams to the sync engine. */
export interface ExtensionPoint<T> {
  name: string;
  /** Only for the type; never set. */
  readonly value?: T;
}

export interface Extension {
  point: string;
  value: unknown;
}

/** Declares an extension point; the module that owns it exports the value from its face. */
export function extensionPoint<T>(name: string): ExtensionPoint<T> {
  return { name };
}

/** Adds a value to a point; goes into the manifest's `extensions`. */
export function extend<T>(point: ExtensionPoint<T>, value: T): Extension {
  return { point: point.name, value };
}

/** Everything that the modules added to a point, in module order. */
export function extensionsOf<T>(modules: readonly ModuleDef[], point: ExtensionPoint<T>): T[] {
  return modules.flatMap((module) =>
    (module.extensions ?? [])
      .filter((extension) => extension.point === point.name)
      .map((extension) => extension.value as T),
  );
}
