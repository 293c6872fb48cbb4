/** The first character of each initial in the order of sounds. */
const FIRST = [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥仨他穵夕丫帀'];
const LETTERS = [...'ABCDEFGHJKLMNOPQRSTWXYZ'];
const bySound = new Intl.Collator('zh-Hans-CN');

function initialOf(char: string): string {
  if (/[a-z0-9]/i.test(char)) return char.toUpperCase();
  if (!/\p{Script=Han}/u.test(char)) return '';
  const at = FIRST.findLastIndex((first) => bySound.compare(first, char) <= 0);
  return LETTERS[at] ?? '';
}

/**
 * Initials of the sounds of a Chinese text, by which people look for names: 「应收账款」 is "YSZK". Letters and digits stand for
 * themselves, other signs are left out; of a character with several sounds the usual one counts.
 */
export const initials = (text: string): string => [...text].map(initialOf).join('');
