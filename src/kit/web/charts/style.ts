import { chartColors, FONT, type Palette, palettes, type ThemeName } from '../theme/tokens.ts';

/** What a chart draws with in a theme. */
export interface ChartStyle {
  palette: Palette;
  series: readonly string[];
}

export function chartStyle(theme: ThemeName): ChartStyle {
  return { palette: palettes[theme], series: chartColors[theme] };
}

export const MAX_SERIES = 6;

/** Colour of the n-th series; what comes after the sixth is 「其他」 and grey. */
export function seriesColor(style: ChartStyle, index: number): string {
  return style.series[index] ?? style.palette.textOff;
}

/** Settings that all charts share. */
export function base({ palette }: ChartStyle) {
  return {
    animationDuration: 200,
    animationDurationUpdate: 200,
    textStyle: { fontFamily: FONT, fontSize: 12, color: palette.text2 },
    grid: { left: 8, right: 12, top: 20, bottom: 4, outerBoundsMode: 'same' as const },
  };
}

/** `apart`: the line stays at the bottom, wherever the other axis has its zero. */
export function categoryAxis({ palette }: ChartStyle, data: readonly string[], apart = false) {
  return {
    type: 'category' as const,
    data: [...data],
    ...(apart ? { position: 'bottom' as const } : {}),
    axisLine: { lineStyle: { color: palette.borderStrong }, ...(apart ? { onZero: false } : {}) },
    axisTick: { show: false },
    axisLabel: { color: palette.text3, fontSize: 12, hideOverlap: true },
  };
}

export function valueAxis({ palette }: ChartStyle, format: (value: number) => string) {
  return {
    type: 'value' as const,
    splitLine: { lineStyle: { color: palette.border } },
    axisLabel: { color: palette.text3, fontSize: 12, formatter: format },
  };
}

export function tooltip({ palette }: ChartStyle) {
  return {
    backgroundColor: palette.pop,
    borderColor: palette.border,
    borderWidth: 1,
    padding: 0,
    textStyle: { color: palette.text1, fontSize: 12, fontFamily: FONT },
    extraCssText: `box-shadow:${palette.shadow};border-radius:8px`,
    confine: true,
    transitionDuration: 0.08,
  };
}
