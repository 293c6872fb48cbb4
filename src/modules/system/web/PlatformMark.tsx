import type { ReactNode } from 'react';
import type { PlatformCode } from '../contract/platforms.ts';

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinejoin: 'round',
  strokeLinecap: 'round',
} as const;

/** Plain shapes of our own, one per marketplace, so that the twelve can be told apart; nobody's artwork. */
const SHAPES: Record<PlatformCode, ReactNode> = {
  amazon: <rect x="5" y="5" width="30" height="30" rx="8" {...line} />,
  shopee: <path d="M8 13h24l-3 22H11zM14 13a6 6 0 0 1 12 0" {...line} />,
  wish: <circle cx="20" cy="20" r="15" {...line} />,
  aliexpress: <path d="M20 4 36 20 20 36 4 20z" {...line} />,
  ebay: <path d="M6 12h28v16H6zM6 33h28M6 7h28" {...line} />,
  cdiscount: <path d="M4 20 13 6h23v28H13zM13 20h.5" {...line} />,
  dhgate: <path d="M6 35V16a14 14 0 0 1 28 0v19z" {...line} />,
  walmart: <path d="M20 4 34 12v16l-14 8-14-8V12z" {...line} />,
  kilimall: <path d="M4 34 20 5l16 29z" {...line} />,
  magento: <path d="M12 5h16l8 8v14l-8 8H12l-8-8V13z" {...line} />,
  woocommerce: <path d="M5 8h30v20H22l-6 7v-7H5z" {...line} />,
  jd: <path d="M20 4 35 10v9c0 9-6 14-15 17C11 33 5 28 5 19v-9z" {...line} />,
};

const LETTERS: Record<PlatformCode, [text: string, y: number]> = {
  amazon: ['A', 26],
  shopee: ['S', 29],
  wish: ['W', 26],
  aliexpress: ['速', 25],
  ebay: ['E', 25],
  cdiscount: ['C', 26],
  dhgate: ['敦', 29],
  walmart: ['W', 26],
  kilimall: ['K', 31],
  magento: ['M', 26],
  woocommerce: ['W', 24],
  jd: ['京', 25],
};

/** The mark of a marketplace, 40 px, in the colour of the text around it. */
export function PlatformMark({ code }: { code: PlatformCode }) {
  const [text, y] = LETTERS[code];
  return (
    <svg className="market-mark" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      {SHAPES[code]}
      <text
        x="20"
        y={y}
        textAnchor="middle"
        fontSize={text.charCodeAt(0) > 255 ? 13 : 16}
        fontWeight="600"
        fill="currentColor"
      >
        {text}
      </text>
    </svg>
  );
}
