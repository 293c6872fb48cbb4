/** Bytes as an address that a picture can hold. */
async function asData(url: string): Promise<string> {
  const blob = await (await fetch(url)).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function rulesOf(sheet: CSSStyleSheet): CSSFontFaceRule[] {
  try {
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  } catch {
    // A sheet from elsewhere keeps its rules to itself.
    return [];
  }
}

/** Names of a family with and without quotes are the same. */
const bare = (text: string) => text.replaceAll(/['"]/g, '').trim();
const points = (text: string) => text.replaceAll(/\s/g, '').toLowerCase();

/**
 * The fonts that the page has drawn with, as CSS that stands by itself. Chinese comes in a hundred files, of which a page
 * needs a few: only those that are here already go into a picture.
 */
export async function drawnFonts(): Promise<string> {
  const drawn = [...document.fonts].filter((face) => face.status === 'loaded');
  const key = (family: string, weight: string, range: string) => `${bare(family)}|${weight}|${points(range)}`;
  const known = new Set(drawn.map((face) => key(face.family, face.weight, face.unicodeRange)));
  const rules = [...document.styleSheets].flatMap((sheet) =>
    rulesOf(sheet).flatMap((rule) => {
      const { style } = rule;
      const of = (name: string) => style.getPropertyValue(name);
      const found = known.has(
        key(of('font-family'), of('font-weight') || 'normal', of('unicode-range') || 'U+0-10FFFF'),
      );
      const url = /url\(["']?([^"')]+)["']?\)/.exec(of('src'))?.[1];
      return found && url
        ? [{ text: rule.cssText, src: of('src'), url: new URL(url, sheet.href ?? document.baseURI).href }]
        : [];
    }),
  );
  const made = await Promise.all(
    rules.map(async ({ text, src, url }) => text.replace(src, `url("${await asData(url)}")`)),
  );
  return made.join('\n');
}
