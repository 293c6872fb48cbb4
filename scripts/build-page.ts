// Builds the page unless it is current.
import { buildPage } from '#src/app/page.ts';

await buildPage();
