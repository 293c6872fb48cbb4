/** The face of the module: what other modules may use. */
export { addWorkingHours, isWorkday, workingHours } from './calendar/working.ts';
export { choicesOf } from './dictionaries/items.ts';
export { auditBroken } from './operlog/seal.ts';
export { changesOf } from './operlog/wording.ts';
export { type PlatformUser, platformUsers } from './platforms/platforms.ts';
export { type SearchProvider, searchProviders } from './search.ts';
export { type TagName, tagsOf } from './tags/tags.ts';
export { type TagUser, tagUsers } from './tags/users.ts';
export { type Firing, nextFiring, type ScheduleHandler, schedules } from './tasks/handlers.ts';
export { type Todo, type TodoSource, todoSources } from './todos.ts';
