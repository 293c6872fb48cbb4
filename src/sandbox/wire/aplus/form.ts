/** The fields of a multipart form, by name; files too. Empty for anything else. */
export function formOf(contentType: string, body: Buffer): Map<string, Buffer> {
  const fields = new Map<string, Buffer>();
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined || !Buffer.isBuffer(body)) return fields;
  const mark = Buffer.from(`--${boundary}`);
  let from = body.indexOf(mark);
  while (from >= 0) {
    const next = body.indexOf(mark, from + mark.length);
    if (next < 0) break;
    // Between two marks: a line break, the head, a blank line, the value, a line break.
    const part = body.subarray(from + mark.length + 2, next - 2);
    const head = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(part.subarray(0, Math.max(0, head)).toString('utf8'))?.[1];
    if (name !== undefined) fields.set(name, part.subarray(head + 4));
    from = next;
  }
  return fields;
}
