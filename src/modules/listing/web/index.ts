/** The page's face of the module: what screens of modules above it may use. */
export { Exempt, IssueTable } from './IssueTable.tsx';
export { Overview } from './Overview.tsx';
export { OffersTab } from './rivals/OffersTab.tsx';
export { useSiteOptions } from './site-options.ts';
