/**
 * How long a test waits for a state, ms. Not what is promised to users: a machine that does much else besides is slow, and
 * a green run waits for none of it.
 */
export const PATIENCE_MS = 600_000;
