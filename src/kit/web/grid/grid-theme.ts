import { type Theme, themeQuartz } from 'ag-grid-community';
import { FONT, palettes, type ThemeName } from '../theme/tokens.ts';

function themeOf(name: ThemeName): Theme {
  const p = palettes[name];
  return themeQuartz.withParams({
    fontFamily: FONT,
    fontSize: 13,
    headerFontSize: 12,
    headerFontWeight: 400,
    headerTextColor: p.text2,
    foregroundColor: p.text1,
    cellTextColor: p.text1,
    backgroundColor: p.sheet,
    chromeBackgroundColor: p.sunken,
    headerBackgroundColor: p.sunken,
    accentColor: p.accentSolid,
    borderColor: p.border,
    rowBorder: { color: p.border, width: 1 },
    columnBorder: false,
    headerColumnBorder: false,
    headerRowBorder: { color: p.border },
    pinnedColumnBorder: { color: p.borderStrong, width: 1 },
    wrapperBorder: false,
    wrapperBorderRadius: 0,
    spacing: 6,
    cellHorizontalPadding: 10,
    iconSize: 14,
    rowHoverColor: p.hover,
    selectedRowBackgroundColor: p.selected,
    oddRowBackgroundColor: 'transparent',
    headerColumnResizeHandleColor: p.borderStrong,
    headerColumnResizeHandleHeight: '40%',
    headerColumnResizeHandleWidth: 1,
    checkboxBorderRadius: 4,
    checkboxBorderWidth: 1,
    checkboxUncheckedBorderColor: p.control,
    checkboxUncheckedBackgroundColor: p.card,
    checkboxCheckedBackgroundColor: p.accentSolid,
    checkboxCheckedBorderColor: p.accentSolid,
    checkboxIndeterminateBackgroundColor: p.accentSolid,
    checkboxIndeterminateBorderColor: p.accentSolid,
    checkboxIndeterminateShapeColor: p.onAccent,
    pinnedRowBackgroundColor: p.sunken,
    pinnedRowBorder: { color: p.borderStrong },
    pinnedRowFontWeight: 600,
    rangeSelectionBorderColor: p.accentSolid,
    browserColorScheme: name === 'black' ? 'dark' : 'light',
    focusShadow: 'none',
  });
}

/** The grid in both themes, made once from the palettes. */
export const gridThemes: Record<ThemeName, Theme> = { light: themeOf('light'), black: themeOf('black') };
