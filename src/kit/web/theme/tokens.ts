/** Every colour of one theme. Names say the use, not the hue; the two palettes must have the same keys. */
export interface Palette {
  chrome: string;
  sheet: string;
  canvas: string;
  card: string;
  sunken: string;
  pop: string;
  hover: string;
  selected: string;
  border: string;
  borderStrong: string;
  control: string;
  text1: string;
  text2: string;
  text3: string;
  textOff: string;
  onAccent: string;
  accent: string;
  accentSolid: string;
  accentHover: string;
  accentBg: string;
  accentBd: string;
  success: string;
  successSolid: string;
  successBg: string;
  successBd: string;
  warning: string;
  warningSolid: string;
  warningBg: string;
  warningBd: string;
  danger: string;
  dangerSolid: string;
  dangerBg: string;
  dangerBd: string;
  purple: string;
  purpleBg: string;
  purpleBd: string;
  neutralBg: string;
  neutralBd: string;
  mask: string;
  shadow: string;
  ring: string;
  /** Ground of product pictures: white in light, a dimmed white in black. */
  picture: string;
}

export type ThemeName = 'light' | 'black';

export const palettes: Record<ThemeName, Palette> = {
  light: {
    chrome: '#ECEEF2',
    sheet: '#FFFFFF',
    canvas: '#F5F6F8',
    card: '#FFFFFF',
    sunken: '#F7F8FA',
    pop: '#FFFFFF',
    hover: '#F4F6FA',
    selected: '#EDF2FF',
    border: '#E4E7EC',
    borderStrong: '#D3D8E0',
    control: '#C6CCD6',
    text1: '#161B26',
    text2: '#475062',
    text3: '#5F6979',
    textOff: '#9AA3B2',
    onAccent: '#FFFFFF',
    accent: '#2456DB',
    accentSolid: '#2B5CE6',
    accentHover: '#1E4BC4',
    accentBg: '#EDF2FF',
    accentBd: '#C5D4FB',
    success: '#0B7548',
    successSolid: '#129060',
    successBg: '#E5F5EC',
    successBd: '#B6E0C8',
    warning: '#8F5600',
    warningSolid: '#BF7700',
    warningBg: '#FFF3DB',
    warningBd: '#F3D7A0',
    danger: '#C4281C',
    dangerSolid: '#D43B2E',
    dangerBg: '#FDECEA',
    dangerBd: '#F5C6C1',
    purple: '#6A45C7',
    purpleBg: '#F1ECFC',
    purpleBd: '#D8CAF6',
    neutralBg: '#EEF0F3',
    neutralBd: '#DDE1E7',
    mask: 'rgb(13 17 24 / 36%)',
    shadow: '0 0 0 1px rgb(16 24 40 / 6%), 0 8px 28px rgb(16 24 40 / 14%)',
    ring: 'rgb(43 92 230 / 18%)',
    picture: '#FFFFFF',
  },
  black: {
    chrome: '#08090B',
    sheet: '#121417',
    canvas: '#0D0F11',
    card: '#16191D',
    sunken: '#181B1F',
    pop: '#1F2328',
    hover: '#1C2025',
    selected: '#151F35',
    border: '#272B31',
    borderStrong: '#353A42',
    control: '#414751',
    text1: '#E7EAEF',
    text2: '#B3BAC6',
    text3: '#8D96A5',
    textOff: '#5F6774',
    onAccent: '#FFFFFF',
    accent: '#84A9FF',
    accentSolid: '#3B69EA',
    accentHover: '#A3BFFF',
    accentBg: '#17223C',
    accentBd: '#2C4378',
    success: '#52C78E',
    successSolid: '#2FA46F',
    successBg: '#10291D',
    successBd: '#1F4A35',
    warning: '#EDB252',
    warningSolid: '#D69A33',
    warningBg: '#2C210D',
    warningBd: '#523D17',
    danger: '#FF8278',
    dangerSolid: '#CC4035',
    dangerBg: '#341816',
    dangerBd: '#5E2B27',
    purple: '#B9A3FF',
    purpleBg: '#231D3B',
    purpleBd: '#41366B',
    neutralBg: '#23272D',
    neutralBd: '#343941',
    mask: 'rgb(0 0 0 / 58%)',
    shadow: '0 0 0 1px #2F343B, 0 12px 32px rgb(0 0 0 / 60%)',
    ring: 'rgb(59 105 234 / 35%)',
    picture: '#E6E8EB',
  },
};

/** Series colours in their fixed order; a seventh series is 「其他」 and grey. */
export const chartColors: Record<ThemeName, readonly string[]> = {
  light: ['#2B5CE6', '#A36700', '#0B5D52', '#C2367F', '#4A1A6B', '#7A2E0E'],
  black: ['#7DA4FF', '#F2C46D', '#2E9E8F', '#E58DBB', '#D7F0EA', '#A98148'],
};

/** Inter first, so that digits never fall to the Chinese face. */
export const FONT =
  "'Inter Variable','PingFang SC','Microsoft YaHei UI','Microsoft YaHei','Noto Sans CJK SC','Source Han Sans SC',sans-serif";

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function declarations(theme: ThemeName): string {
  const colors = Object.entries(palettes[theme]).map(([name, value]) => `--${kebab(name)}:${value}`);
  const series = chartColors[theme].map((color, index) => `--series-${index + 1}:${color}`);
  return [...colors, ...series].join(';');
}

/**
 * The palettes as CSS variables, e.g. `--text-2` is not used but `--text1`, `--accent-solid`, `--series-1`. Served as
 * the style sheet `virtual:theme.css`, so that the first paint has its colours before any script runs.
 */
export function themeCss(): string {
  return [
    `:root{color-scheme:light;--font:${FONT};${declarations('light')}}`,
    `:root[data-theme=black]{color-scheme:dark;${declarations('black')}}`,
    '@media (prefers-contrast:more){:root{--control:#7E8796;--text3:var(--text2)}',
    ':root[data-theme=black]{--control:#7A8290}}',
  ].join('\n');
}
