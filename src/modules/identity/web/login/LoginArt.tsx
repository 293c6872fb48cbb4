const LINES = 26;
const STRONG = 6;

/** One line from the left edge through the knot at x = 180 to the right edge, in a box of 864 x 900. */
function path(share: number): string {
  const left = 500 + share * 100;
  const knot = 537 + share * 44;
  const right = 305 + share * 445;
  // Above the middle lines rise from the knot, below it they fall: the bend leans the way that the line goes.
  const bend = knot + (right - knot) * 0.12;
  return `M0 ${left} C 60 ${knot}, 110 ${knot + (0.5 - share) * 12}, 180 ${knot} C 380 ${bend}, 560 ${right + (right - 520) * -0.1}, 864 ${right}`;
}

/** The lines behind the words of the login page: many sources drawn together, and apart again. */
export function LoginArt() {
  return (
    <svg className="login-art" viewBox="0 0 864 900" preserveAspectRatio="none" aria-hidden="true">
      <defs>
        <linearGradient id="login-line" x1="0" x2="1">
          <stop offset="0" stopColor="#7C9BFF" stopOpacity="0" />
          <stop offset=".2" stopColor="#7C9BFF" stopOpacity=".9" />
          <stop offset=".55" stopColor="#8FA8E8" stopOpacity=".5" />
          <stop offset="1" stopColor="#B9C6E6" stopOpacity=".75" />
        </linearGradient>
      </defs>
      {Array.from({ length: LINES }, (_, index) => {
        const strong = index % STRONG === 0;
        return (
          <path
            key={path(index / (LINES - 1))}
            d={path(index / (LINES - 1))}
            fill="none"
            stroke="url(#login-line)"
            strokeWidth={strong ? 1.4 : 0.8}
            opacity={strong ? 0.9 : 0.38}
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}
