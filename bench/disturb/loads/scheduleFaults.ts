// Finds faults in the instants that schedules of a minute have fired at (developer-api.md 7.5 rule 2).
export const MINUTE = 60_000

export const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
export const instantOf = (text: string) => Date.parse(`${text.slice(0, 19).replace(" ", "T")}Z`)

/** Instants of one schedule in their order: what is left out or doubled between the first and the last, and at the end. */
export const scheduleFaults = (name: string, instants: ReadonlyArray<number>, from: number, until: number) => {
  const missing: Array<string> = []
  const doubled: Array<string> = []
  // A schedule that was activated a moment too late begins a minute after `from`.
  if (instants.length === 0 ? until - from > MINUTE : instants[0]! - from > MINUTE) missing.push(`${name}: the first`)
  for (const [i, at] of instants.entries()) {
    const previousInstant = instants[i - 1]
    if (previousInstant === undefined) continue
    if (at === previousInstant) doubled.push(`${name} at ${stamp(at)}`)
    else if (at - previousInstant !== MINUTE) missing.push(`${name} between ${stamp(previousInstant)} and ${stamp(at)}`)
  }
  const lastInstant = instants.at(-1)
  if (lastInstant !== undefined && until - lastInstant > MINUTE) missing.push(`${name} after ${stamp(lastInstant)}`)
  return { missing, doubled }
}
