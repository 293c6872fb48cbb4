/** A heading as it is compared: no blanks, no asterisk of a required column, brackets of either width, any case. */
export const plainHeading = (heading: string): string =>
  heading.replaceAll('（', '(').replaceAll('）', ')').replace(/[\s*]/g, '').toLowerCase();
