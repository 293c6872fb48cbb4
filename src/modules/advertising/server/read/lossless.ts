/**
 * Parses JSON without rounding: every number stays the text that it is written as, because ids are longer than a binary
 * number keeps and money is decimal. @throws SyntaxError for what is no JSON
 */
export function parseLossless(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}
