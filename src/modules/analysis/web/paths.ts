/** The page of one listing; `?id=` names it. */
export const DETAIL_PATH = '/amazon/listing/details';
/** Alerts, whose rules are set there. */
export const ALERTS_PATH = '/amazon/listing/alerts';
