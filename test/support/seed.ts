import fc from 'fast-check';
import { seed } from './depth.ts';

// Every property of the run draws from its seed, and says with it what it found.
fc.configureGlobal({ seed });
