/** Why a file cannot be taken over; stable codes for tests, logs and the page. */
export type RefusalCode =
  | 'EMPTY' // no bytes, or a header without anything to read
  | 'DAMAGED' // truncated or corrupt container, or a last line cut short
  | 'BOMB' // unpacks to an absurd size
  | 'BINARY' // NUL bytes: not a text file
  | 'CHARSET' // no candidate charset decodes every byte
  | 'LINE_TOO_LONG'
  | 'UNCLOSED_QUOTE'
  | 'FOREIGN' // not a report this program knows
  | 'COLUMNS' // required columns missing or doubled
  | 'ROW_WIDTH' // a line has more or fewer cells than it must have
  | 'NUMBER'
  | 'DATE'
  | 'VALUE' // a required value is empty or not one of the allowed ones
  | 'CONTRADICTION' // two lines prove opposite spellings
  | 'UNDECIDABLE' // no line proves a spelling, and the readings differ
  | 'UNBALANCED' // settlement lines do not add up to the stated total
  | 'MIXED' // lines of two documents in one file
  | 'CHANGED'; // the bytes differ between two passes over the same source

/** Where in the file the reason lies. `line` is the physical line, counted from 1 (the header is usually line 1). */
export interface RefusalPlace {
  line?: number | undefined;
  column?: string | undefined;
  value?: string | undefined;
}

/**
 * A file that is refused as a whole. `message` is Chinese, for the user, and already names line and column;
 * `reason` is the same text without the place.
 */
export class FileRefused extends Error {
  readonly code: RefusalCode;
  readonly reason: string;
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly value: string | undefined;

  constructor(code: RefusalCode, reason: string, place: RefusalPlace = {}) {
    super(placeText(place) + reason);
    this.name = 'FileRefused';
    this.code = code;
    this.reason = reason;
    this.line = place.line;
    this.column = place.column;
    this.value = place.value;
  }
}

/** 「第 7 行，列 amount：」, or '' for a reason that concerns the whole file. */
function placeText(place: RefusalPlace): string {
  if (place.line === undefined) return place.column === undefined ? '' : `列 ${place.column}：`;
  return place.column === undefined ? `第 ${place.line} 行：` : `第 ${place.line} 行，列 ${place.column}：`;
}

/** Shortens a cell for a message, so that a broken file cannot flood the page. */
export function shown(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
