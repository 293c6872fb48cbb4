/** The face of the module: how those who write to a site reach it, and say what failed. */
export { asked, type Site, siteOf, siteParts } from './site.ts';
