import sanitize from 'sanitize-html';

/** What a message may hold: text with structure and links. No pictures: a remote one tells its server who reads. */
const ALLOWED: sanitize.IOptions = {
  allowedTags: [
    'p',
    'br',
    'h2',
    'h3',
    'h4',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'hr',
    'a',
    'span',
  ],
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (_name, attributes) => ({
      tagName: 'a',
      attribs: {
        ...(attributes.href ? { href: attributes.href } : {}),
        target: '_blank',
        rel: 'noopener noreferrer',
      },
    }),
  },
};

/** HTML of a person or a program as it may be stored and shown: only the tags above, links that open elsewhere. */
export function sanitised(html: string): string {
  return sanitize(html, ALLOWED).trim();
}

/** Text as it may stand in HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Plain text as HTML that shows it as it is: a line is a paragraph, marks in names stay marks. */
export function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Sanitised HTML without its marks, in one line, for lists; at most `max` characters. */
export function plain(html: string, max = 300): string {
  const spaced = html.replace(/<(\/p|\/li|\/h\d|br|hr)[^>]*>/g, ' ');
  const bare = sanitize(spaced, { allowedTags: [], allowedAttributes: {} });
  const text = bare.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => NAMED[name] ?? ' ');
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
