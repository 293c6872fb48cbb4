import type { StateMeta, Tone } from '../../contract/field.ts';

/** Dot and word on a tint; the reason, if there is one, on hover. */
export function Tag({ tone, title, reason }: { tone: Tone; title: string; reason?: string | undefined }) {
  return (
    <span className={`tag is-${tone}`} title={reason}>
      <i aria-hidden="true" />
      {title}
    </span>
  );
}

interface Props {
  value: string | null | undefined;
  states: Record<string, StateMeta> | undefined;
  reason?: string | undefined;
}

/** A state by its contract: name and tone come from the field's definition. */
export function State({ value, states, reason }: Props) {
  if (value === null || value === undefined) return <span className="text3">—</span>;
  const meta = states?.[value];
  // A state that says nothing is no state to look at.
  if (meta?.title === '—') return <span className="text3">—</span>;
  return <Tag tone={meta?.tone ?? 'off'} title={meta?.title ?? value} reason={reason} />;
}
