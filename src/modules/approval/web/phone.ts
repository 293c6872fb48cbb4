/** Address of the page for phones; with `id` of an approval it shows that one. */
export const PHONE = '/examine/phone';

/** In the query of a document's page: shown as it is, on a phone as well. */
export const WHOLE = 'whole';
