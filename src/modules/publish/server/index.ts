/** The face of the module: how those who write to a site reach it, and say what failed. */
export { demoDrafts } from './demo.ts';
export { asked, type Site, siteOf, siteParts } from './site.ts';
