/** The face of the module: what other modules and the composition root may use. */

export { type DocumentRoute, documentRoute, pathOf } from './documents.ts';
export { type Examined, examined } from './examined.ts';
export { escaped } from './html.ts';
export { stopPush } from './push/hub.ts';
export { type Reminder, remind } from './remind.ts';
