/** So much of a body is kept. */
export const KEPT_CHARS = 4_000;
/** No more of an answer is looked at. */
const READ_CHARS = 200_000;
const MASK = '***';

/** Whatever opens something: tokens, keys, and addresses that carry their own signature. */
const SECRET_KEY = /token|secret|password|signature|authorization|credential|cookie|^url$|^sig$/i;
/** Whoever somebody is and where he lives; `Contents` is a label with all of that on it. */
const PERSON_KEY =
  /e-?mail|phone|postal|zip|address|^city$|county|district|municipality|recipient|buyer|customer|^(first|last|full|given|family)?_?name$|birth|tax_?id|^cpf$|gift|^contents$/i;
const EMAIL = /[\w.+-]+@[\w-]+(\.[\w-]+)+/g;
const TOKEN = /Atz[ar]\|[\w.|=+/-]+|amzn1\.[\w.-]*secret[\w.-]*/gi;
const IN_ADDRESS = /((?:token|secret|password|signature|sig|credential)[\w-]*=)[^&\s"']*/gi;

/** A text without e-mail addresses, tokens and what an address is signed with. */
function maskedText(text: string): string {
  return text.replace(EMAIL, MASK).replace(TOKEN, MASK).replace(IN_ADDRESS, `$1${MASK}`);
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      each !== null && (SECRET_KEY.test(key) || PERSON_KEY.test(key)) ? MASK : maskedValue(each),
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A body as the log keeps it: indented JSON, or the text as it is, without secrets and what tells who somebody is; cut at
 * 4,000 characters. Null for one that is empty. What is too long or broken to be read as JSON keeps its beginning only,
 * and of that nothing between quotes: a mask by names would miss what it cannot see.
 */
export function maskedBody(body: unknown): string | null {
  const text = typeof body === 'string' ? body : body === undefined || body === null ? '' : JSON.stringify(body);
  if (text.trim() === '') return null;
  const value = text.length <= READ_CHARS ? parsed(text) : undefined;
  if (value !== undefined) return cut(JSON.stringify(maskedValue(value), null, 2));
  const looksLikeData = /^\s*[[{"]/.test(text);
  return cut(
    maskedText(looksLikeData ? text.slice(0, 500).replace(/"[^"]*"?/g, `"${MASK}"`) : text.slice(0, READ_CHARS)),
  );
}

function cut(text: string): string {
  return text.length > KEPT_CHARS ? `${text.slice(0, KEPT_CHARS)}\n…（已截断，共 ${text.length} 字符）` : text;
}
