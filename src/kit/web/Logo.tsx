/** The mark of the product: a loaded ship, drawn in the current text colour. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="8 8 20 20" fill="currentColor" aria-hidden="true">
      <rect x="16" y="8.5" width="4" height="4" rx=".8" opacity=".75" />
      <rect x="11.2" y="13.7" width="4" height="4" rx=".8" opacity=".75" />
      <rect x="16" y="13.7" width="4" height="4" rx=".8" />
      <rect x="20.8" y="13.7" width="4" height="4" rx=".8" opacity=".6" />
      <path d="M8 19h20l-2.6 6.2a3 3 0 0 1-2.8 1.8h-9.2a3 3 0 0 1-2.8-1.8z" />
    </svg>
  );
}
