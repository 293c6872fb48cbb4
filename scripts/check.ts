// Types, lint, format, import rules and unused code, in seconds.
import { runLanes } from './commands.ts';
import { checks, types } from './steps.ts';

process.exit(await runLanes([[types], checks]));
