// Names of schemas, as generated clients have them.

/** `record_created` and `record.created` as `RecordCreated`. */
export const pascal = (token: string): string =>
  token
    .split(/[_.-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
