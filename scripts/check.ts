// Types, lint, format, import rules and unused code, in seconds.
import { runSteps } from './commands.ts';
import { checks } from './steps.ts';

await runSteps(checks);
