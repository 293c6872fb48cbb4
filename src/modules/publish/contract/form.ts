/** What a form of a product type is made of, read from Amazon's schema; labels are in the language it was asked for in. */

/** Values of one attribute in one marketplace. */
export type Values = readonly Readonly<Record<string, unknown>>[];

/** Attribute to values. */
export type Attributes = Readonly<Record<string, Values>>;

export interface Option {
  value: string | number | boolean;
  label: string;
}

/** How one value is entered. */
export type FormNode =
  | { kind: 'text'; maxLength?: number; maxBytes?: number; url?: true }
  | { kind: 'number'; whole?: true; min?: number; max?: number }
  | { kind: 'choice'; options: readonly Option[]; open?: true }
  | { kind: 'object'; fields: readonly FormField[] }
  | { kind: 'list'; most: number; item: FormNode };

/** A part of a value. */
export interface FormField {
  name: string;
  title: string;
  required: boolean;
  /** Cannot be changed once the listing exists. */
  fixed?: true;
  node: FormNode;
}

/** One attribute of the product type. */
export interface FormAttribute {
  name: string;
  title: string;
  description: string;
  /** At most so many values. */
  many: number;
  fields: readonly FormField[];
  /** What every value carries without anybody entering it: marketplace, language. */
  defaults: Readonly<Record<string, unknown>>;
  /** Attributes that this one stands for since. */
  replaces: readonly string[];
  /** Why it is only shown. */
  locked?: string;
}

export interface FormGroup {
  title: string;
  names: readonly string[];
}

export interface FormModel {
  groups: readonly FormGroup[];
  attributes: readonly FormAttribute[];
}
