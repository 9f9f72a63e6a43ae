// Filters of the audit log as the page's address holds them: a kind of event, a person, the first and the last day.
export interface AuditSearch {
  /** Part of an event before the dot. */
  readonly event?: string
  readonly user_id?: number
  readonly since?: string
  readonly until?: string
}

const matching = (value: unknown, pattern: RegExp) =>
  (typeof value === "string" || typeof value === "number") && pattern.test(String(value)) ? String(value) : undefined

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads the parameters of an address; leaves out what is none of them. */
export const auditSearchIn = (parameters: Readonly<Record<string, unknown>>): AuditSearch => {
  const event = matching(parameters["event"], /^[a-z_]{1,60}$/)
  const userId = matching(parameters["user_id"], /^[1-9]\d{0,14}$/)
  const [since, until] = [matching(parameters["since"], DAY), matching(parameters["until"], DAY)]
  return {
    ...(event !== undefined && { event }),
    ...(userId !== undefined && { user_id: Number(userId) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until })
  }
}
