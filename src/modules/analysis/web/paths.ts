/** The page of one listing; `?id=` names it. */
export const DETAIL_PATH = '/amazon/listing/details';
