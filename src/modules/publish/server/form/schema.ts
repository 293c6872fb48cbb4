/** A JSON schema of draft 2019-09 with the keywords that Amazon's meta-schema adds, as far as they are read here. */
export interface Schema {
  $ref?: string;
  $defs?: Readonly<Record<string, Schema>>;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  enumNames?: readonly string[];
  default?: unknown;
  hidden?: boolean;
  editable?: boolean;
  replaces?: readonly string[];
  selectors?: readonly string[];
  maxUniqueItems?: number;
  maxItems?: number;
  maxLength?: number;
  maxUtf8ByteLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  format?: string;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

/** A property group as `propertyGroups` names them. */
export type Groups = Readonly<Record<string, { title?: string; propertyNames?: readonly string[] }>>;

/** The schema that a reference stands for, with what is said beside it. */
export function resolved(root: Schema, schema: Schema): Schema {
  const name = /^#\/\$defs\/(\w+)$/.exec(schema.$ref ?? '')?.[1];
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target ? { ...resolved(root, target), ...schema } : schema;
}
