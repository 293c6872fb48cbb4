import { uuid } from '#kit/web/api/index.ts';
import type { ModuleValue, SlotValue, TextValue } from '../../contract/content.ts';
import { type ModuleType, moduleOf } from '../../contract/modules.ts';

/** An empty module; choices begin with their first one. */
export function newModule(type: ModuleType): ModuleValue {
  const values = moduleOf(type).slots.flatMap((slot) => {
    if (slot.kind !== 'choice') return [];
    const [first = ''] = Object.keys(slot.choices);
    return [[slot.path, { choice: first }] as const];
  });
  return { id: uuid(), type, values: Object.fromEntries(values) };
}

/** The same module once more, behind itself. */
export function duplicated(modules: readonly ModuleValue[], at: number): ModuleValue[] {
  const one = modules[at];
  return one ? modules.toSpliced(at + 1, 0, { ...structuredClone(one), id: uuid() }) : [...modules];
}

/** Modules with one of them a place further up (-1) or down (1). */
export function moved(modules: readonly ModuleValue[], at: number, by: -1 | 1): ModuleValue[] {
  const one = modules[at];
  if (!one || at + by < 0 || at + by >= modules.length) return [...modules];
  return modules.toSpliced(at, 1).toSpliced(at + by, 0, one);
}

/** A module with another value under a path; undefined takes it away. */
export function withSlot(module: ModuleValue, path: string, value: SlotValue | undefined): ModuleValue {
  const { [path]: _, ...rest } = module.values;
  return { ...module, values: value === undefined ? rest : { ...rest, [path]: value } };
}

/** Lines as they were typed; those that are as before keep Amazon's marks. */
export function linesOf(text: string, before: readonly TextValue[]): TextValue[] {
  return text.split('\n').map((line) => before.find((one) => one.text === line) ?? { text: line });
}
