/** The face of the module: what the composition root may use. */
export { keepUp as keepWorth } from './make/job.ts';
