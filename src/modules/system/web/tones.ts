import type { Tone } from '#kit/contract/field.ts';

const TONES: Record<string, Tone> = {
  info: 'off',
  blue: 'running',
  success: 'done',
  warning: 'waiting',
  danger: 'trouble',
};

/** How a tag of a colour is drawn. */
export function toneOf(color: string): Tone {
  return TONES[color] ?? 'off';
}
