type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Copies the fields that are not undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const defined: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined as Defined<Fields>;
}
