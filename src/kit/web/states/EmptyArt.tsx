/** A list waiting for its first row, in the colours of the theme. */
export function EmptyArt() {
  return (
    <svg width="104" height="80" viewBox="0 0 104 80" fill="none" aria-hidden="true">
      <rect
        x="1"
        y="1"
        width="93"
        height="73"
        rx="6"
        fill="var(--sheet)"
        stroke="var(--border-strong)"
        strokeWidth="1.5"
      />
      <path d="M1 19h93" stroke="var(--border-strong)" strokeWidth="1.5" />
      <g fill="var(--border)">
        <rect x="10" y="8" width="26" height="4" rx="2" fill="var(--border-strong)" />
        <rect x="76" y="8" width="9" height="4" rx="2" fill="var(--border-strong)" />
        {[28, 43, 58].map((y, index) => (
          <g key={y}>
            <rect x="10" y={y} width="10" height="9" rx="2" />
            <rect x="26" y={y + 2} width={[34, 26, 30][index]} height="5" rx="2.5" />
            <rect x="72" y={y + 2} width="13" height="5" rx="2.5" />
          </g>
        ))}
      </g>
      <circle cx="86" cy="62" r="15" fill="var(--accent-solid)" />
      <path d="M79 62h14M86 55v14" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
