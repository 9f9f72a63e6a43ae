// Names of schemas, as generated clients have them.

/** Before the name, in a reference to a schema. */
export const COMPONENTS = "#/components/schemas/"
export const nameOf = (ref: string): string => ref.slice(COMPONENTS.length)

/** `record_created` and `record.created` as `RecordCreated`. */
export const pascal = (token: string): string =>
  token
    .split(/[_.-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
