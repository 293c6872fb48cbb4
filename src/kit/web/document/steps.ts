import type { DocumentDef } from '../../contract/document.ts';

export interface Step {
  key: string;
  title: string;
  /** Who and when, how long it has waited, what is asked. */
  note?: string;
  state: 'done' | 'now' | 'todo';
}

/**
 * The way of a document through its states as a step bar. States that are no part of the straight way (void, refused)
 * are shown only while the document is in one of them.
 */
export function stepsOf(
  def: Pick<DocumentDef, 'states'>,
  way: readonly string[],
  state: string,
  notes: Readonly<Record<string, string | undefined>> = {},
): Step[] {
  const path = way.includes(state) ? [...way] : [...way.filter((key) => notes[key] !== undefined), state];
  const now = path.indexOf(state);
  return path.map((key, index) => {
    const note = notes[key];
    const last = index === now && now === path.length - 1 && def.states[key]?.tone === 'done';
    return {
      key,
      title: def.states[key]?.title ?? key,
      ...(note === undefined ? {} : { note }),
      state: index < now || last ? 'done' : index === now ? 'now' : 'todo',
    };
  });
}
