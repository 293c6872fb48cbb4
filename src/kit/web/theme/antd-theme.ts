import { type ThemeConfig, theme } from 'antd';
import { FONT, palettes, type ThemeName } from './tokens.ts';

type Tokens = NonNullable<ThemeConfig['token']>;
type Components = NonNullable<ThemeConfig['components']>;

function tokens(name: ThemeName): Tokens {
  const p = palettes[name];
  const black = name === 'black';
  return {
    fontFamily: FONT,
    fontSize: 13,
    fontSizeSM: 12,
    fontSizeLG: 14,
    lineHeight: 20 / 13,
    borderRadius: 6,
    borderRadiusSM: 5,
    borderRadiusLG: 8,
    controlHeight: 32,
    controlHeightSM: 28,
    controlHeightLG: 40,
    colorPrimary: p.accentSolid,
    colorPrimaryHover: black ? '#3F69DC' : '#244FC9',
    colorPrimaryActive: black ? '#2C4FB4' : '#1D43B0',
    colorInfo: p.accentSolid,
    colorLink: p.accent,
    colorLinkHover: p.accentHover,
    colorSuccess: p.successSolid,
    colorWarning: p.warningSolid,
    // The dark algorithm darkens its seeds; the text colour comes out right.
    colorError: black ? p.danger : p.dangerSolid,
    colorText: p.text1,
    colorTextSecondary: p.text2,
    colorTextTertiary: p.text3,
    colorTextQuaternary: p.textOff,
    colorTextPlaceholder: p.text3,
    colorTextDisabled: p.textOff,
    colorBgLayout: p.canvas,
    colorBgContainer: p.card,
    colorBgElevated: p.pop,
    colorFillAlter: p.sunken,
    colorBgMask: p.mask,
    colorBorder: p.control,
    colorBorderSecondary: p.border,
    colorSplit: p.border,
    controlOutline: p.ring,
    controlOutlineWidth: 2,
    boxShadowSecondary: p.shadow,
    motionDurationFast: '0.08s',
    motionDurationMid: '0.14s',
    motionDurationSlow: '0.2s',
  };
}

function components(name: ThemeName): Components {
  const p = palettes[name];
  const black = name === 'black';
  const lifted = black ? p.neutralBd : p.card;
  return {
    Button: {
      fontWeight: 400,
      defaultBg: black ? p.sunken : p.card,
      defaultBorderColor: p.control,
      defaultHoverBg: p.hover,
      defaultHoverColor: p.text1,
      defaultHoverBorderColor: p.accent,
      defaultShadow: 'none',
      primaryShadow: 'none',
      dangerShadow: 'none',
      paddingInlineSM: 10,
      ...(black ? { dangerColor: '#2A0E0B' } : {}),
    },
    Input: { activeShadow: `0 0 0 2px ${p.ring}` },
    // Words on the page, not on a filled button: the accent that is read, not the one that is filled with.
    Tabs: {
      horizontalItemPadding: '9px 0',
      horizontalItemGutter: 20,
      titleFontSize: 13,
      itemSelectedColor: p.accent,
      itemHoverColor: p.accentHover,
      itemActiveColor: p.accent,
    },
    Drawer: { paddingLG: 16 },
    Modal: { titleFontSize: 15 },
    Segmented: { itemSelectedBg: lifted, trackBg: p.neutralBg },
    Tree: { titleHeight: 28, nodeSelectedBg: p.accentBg, nodeHoverBg: p.hover },
    Tooltip: { colorBgSpotlight: black ? p.neutralBd : '#20262F' },
    Tag: { defaultBg: p.neutralBg },
    Table: {
      headerBg: p.sunken,
      headerColor: p.text2,
      headerSplitColor: 'transparent',
      cellPaddingBlockSM: 7,
      cellPaddingInlineSM: 10,
      cellFontSizeSM: 13,
      rowHoverBg: p.hover,
      borderColor: p.border,
    },
  };
}

/** Settings of antd for a theme, made from the palette; `still` for those who want no motion. */
export function antdTheme(name: ThemeName, still: boolean): ThemeConfig {
  return {
    algorithm: name === 'black' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: { ...tokens(name), motion: !still },
    components: components(name),
  };
}
