// Table for the operator: what an actor holds and why it waits (design: actors, point 7).
import type { DetailLine } from "./ActorKind.ts"

/** Heartbeat details. */
export interface ActorSight {
  readonly fence: number
  readonly lines: ReadonlyArray<DetailLine>
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")

export const anyFailing = (lines: ReadonlyArray<DetailLine>): boolean => lines.some(({ failing }) => failing === true)

/** Markdown, for the workflow's current details. */
export const table = (lines: ReadonlyArray<DetailLine>, atMillis: number): string => {
  const asOf = `as of ${new Date(atMillis).toISOString()}`
  if (lines.length === 0) return `Nothing waits (${asOf}).`
  const rows = lines.map(({ what, count, why }) => `| ${cell(what)} | ${count} | ${cell(why)} |`)
  return [`| what | count | why |`, "|---|---|---|", ...rows, "", asOf].join("\n")
}
