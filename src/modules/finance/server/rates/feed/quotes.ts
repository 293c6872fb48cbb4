/** What a publisher says of one day. */
export interface Published {
  /** yyyy-MM-dd, the publisher's business day. */
  day: string;
  /** CNY for one unit, ten decimals, by currency. */
  rates: ReadonlyMap<string, string>;
}

/** Somebody who publishes rates of days in a format of his own. */
export interface Publisher {
  /** As the source of a rate says it, e.g. 欧洲央行. */
  title: string;
  /** Reads a publication whole. @throws Error in words where it is not one */
  read(text: string): Published[];
}
