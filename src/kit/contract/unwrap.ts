import { z } from 'zod';

/** What a schema wraps that only says that it may be left out: optional, nullable or with a value for nothing. */
export function wrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  return wraps ? (schema.unwrap() as z.ZodType) : undefined;
}

/** The schema of a value that is there. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const inner = wrapped(schema);
  return inner ? unwrap(inner) : schema;
}
