// Decides which changes fire the trigger `record_updated`: the tri-state of service.md 2.7 trigger rule 4.

/**
 * @param fields null: any field; a list: one of these; an empty list: never
 * @param changed the fields whose value the update has changed
 */
export const firesOnChange = (
  fields: ReadonlyArray<number> | null,
  changed: ReadonlyArray<number> | null | undefined
): boolean => fields === null || fields.some((id) => changed?.includes(id) === true)
