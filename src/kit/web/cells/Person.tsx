const DISCS = ['#8E4B6B', '#5B6B8C', '#7A52A8', '#3F7A6B', '#8A6233', '#4A6FA5'];

function colorOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return DISCS[hash % DISCS.length] ?? '#5B6B8C';
}

/** The last character of a Chinese name, the first letter of another one. */
function initialOf(name: string): string {
  const last = [...name.trim()].at(-1) ?? '';
  return /\p{Script=Han}/u.test(last) ? last : name.trim().charAt(0).toUpperCase();
}

/** Initial on a disc; the colour follows from the name. */
export function Disc({ name, size = 20 }: { name: string; size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.5, background: colorOf(name) };
  return (
    <span className="person-disc" style={style} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}

/** Disc and name; a missing person is a dash. */
export function Person({ name }: { name: string | null | undefined }) {
  if (!name) return <span className="text3">—</span>;
  return (
    <span className="person">
      <Disc name={name} />
      <span className="ellipsis">{name}</span>
    </span>
  );
}
