/** The face of the module: what the domains that land marketplace facts may use. */

export { type ShipFrom, shipFromAddresses, shipFromOf, shipFromWords } from './addresses/choices.ts';
export { insertAddress } from './addresses/save.ts';
export { beginAdsConsent, finishAdsConsent } from './ads/consent.ts';
export type { AdsApi, AdsConnectionRef, AdsProfileRef, AdsRequest } from './ads/port.ts';
export { type AdsStreamDef, type AdsStreamRun, adsStreams } from './ads/streams.ts';
export { asked, isBusy } from './api/asked.ts';
export { createSpApi } from './api/client.ts';
export { logCall } from './api/log.ts';
export { maskedBody } from './api/masked.ts';
export { paperAt } from './api/paper.ts';
export {
  type ApiAnswer,
  ApiRefused,
  type ApiRequest,
  AuthLost,
  ComeBackLater,
  hadNoEffect,
  NotReadyYet,
  type SpApi,
} from './api/port.ts';
export { accountOf, storeNames } from './auth/accounts.ts';
export { beginConsent, finishConsent } from './auth/consent.ts';
export { accountDeleted } from './auth/end.ts';
export { buyerMessagesUrl } from './auth/seller-central.ts';
export { putStore } from './auth/stores.ts';
export { MOST_MESSAGES } from './feeds/job.ts';
export { type FeedKind, feedKinds, type ReportLine } from './feeds/kinds.ts';
export { dropMessages, feedEnded, feedReleasing, feedRetried, type MessageResult, planFeed } from './feeds/plan.ts';
export * from './files/index.ts';
export { type NoticeReader, noticeReaders } from './notifications/readers.ts';
export { type SiteStanding, siteStandings } from './performance/sites.ts';
export { type ItemRefused, itemsAside, setAsideItems, settleItems } from './quarantine/aside.ts';
export { missingWindowsSelect } from './reports/missing.ts';
export { stockOf, zoneOfStock } from './reports/stocks.ts';
export { type Days, forgetTaken, type Taking, taking } from './reports/taken.ts';
export { marketplaceNow } from './settings.ts';
export {
  type AccountRef,
  type AskedPeriod,
  type Fetched,
  type LandCounts,
  type ReportCheck,
  type ReportLoader,
  type ReportPlan,
  type ReportSource,
  reportLoaders,
  reportPlans,
  type StreamDef,
  type StreamRun,
  streams,
} from './streams.ts';
export { connectionOf, freshnessOf, freshnessSelect, readUpTo, readUpToSelect } from './sync/freshness.ts';
export { type AccountSync, syncOfAccounts } from './sync/overview.ts';
export { skipStream } from './sync/skip.ts';
export { wakeStream } from './sync/wake.ts';
export { type OrderListLoader, orderListLoader } from './upload/order-list.ts';
export { uploadUndone } from './upload/undo.ts';
export { cancel as cancelWrite } from './writes/actions.ts';
export { type Write, type WriteKind, type WriteWork, writeKinds } from './writes/kinds.ts';
export { planWrite, writeEnded, writeRetried, writeStates } from './writes/plan.ts';
export { remindOfWrite } from './writes/remind.ts';
