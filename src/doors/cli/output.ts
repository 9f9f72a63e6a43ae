// How commands answer: a readable table, or JSON with --json for scripts. Failures are one line on stderr and exit code 1.
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { parseDateTime } from "../../ground/primitives/dates.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace("T", " ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const table = (rows: ReadonlyArray<Record<string, unknown>>): string => {
  if (rows.length === 0) return "(none)"
  const names = Object.keys(rows[0]!)
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Prints one object or a list. */
export const print = (asJson: boolean, value: object) =>
  Console.log(
    asJson
      ? JSON.stringify(value, null, 2)
      : Array.isArray(value)
        ? table(value)
        : Object.entries(value)
            .map(([name, member]) => `${name}: ${cell(member)}`)
            .join("\n")
  )

/** Ends the command with the failure's message. */
export class CommandFailed {
  readonly _tag = "CommandFailed"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export const failWith = (error: { readonly message: string }) => Effect.fail(new CommandFailed(error.message))

/** A time as flags take it. */
export const instant = (text: string) => {
  const parsed = parseDateTime(text)
  return parsed === undefined
    ? failWith({ message: `"${text}" is no time: write YYYY-MM-DD HH:mm:ss (UTC) or ISO 8601.` })
    : Effect.succeed(parsed.date)
}
