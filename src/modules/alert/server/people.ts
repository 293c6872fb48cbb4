import type { Ctx } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';

/** Names of all members of the company, also of those who left, by id. */
export async function memberNames(ctx: Ctx): Promise<Map<string, string>> {
  const { members } = await chartOf(ctx);
  return new Map([...members].map(([id, { name }]) => [id, name]));
}

/** Members who may work now, to choose from. */
export async function peopleChoices(ctx: Ctx): Promise<{ value: string; label: string }[]> {
  const { members } = await chartOf(ctx);
  return [...members]
    .flatMap(([value, { name, active }]) => (active ? [{ value, label: name }] : []))
    .sort((a, b) => a.label.localeCompare(b.label, 'zh'));
}
