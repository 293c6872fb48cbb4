import type { ReactNode } from 'react';

/** One line of a form in a dialog: label above, control, hint below. */
export function Line({
  id,
  title,
  hint,
  children,
}: {
  id: string;
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="self-line">
      <label className="field-label" htmlFor={id}>
        {title}
      </label>
      {children}
      {hint && <div className="label">{hint}</div>}
    </div>
  );
}
