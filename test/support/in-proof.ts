import { test } from 'vitest';
import { proof } from './depth.ts';

/** A test that only the proof runs: another of a kind of which the gate runs one. */
export const inProof = test.runIf(proof);
