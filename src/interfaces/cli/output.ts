// Prints the output of commands: a readable table, or JSON with --json for scripts. Failures are one line on stderr and exit code 1.
import { Clock, Console, Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { parseDateTime } from "../../platform/primitives/dates.ts"
import { memberTable, table } from "./tables.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for scripts"), Flag.withDefault(false))

/** An argument that is one of a few words, which its help lists. */
export const oneOf = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  Argument.Literals(name, words).pipe(Argument.withDescription(words.join(", ")))

/** Columns of the output if it is no terminal. */
const WIDTH = 120
const NARROWEST = 80

const width = () => Math.max(NARROWEST, process.stdout.columns ?? WIDTH)

/** Prints one object or a list. */
export const print = (asJson: boolean, value: object) =>
  Console.log(
    asJson ? JSON.stringify(value, null, 2) : Array.isArray(value) ? table(value, width()) : memberTable(value, width())
  )

/** Ends the command with the failure's message. */
class CommandFailed {
  readonly _tag = "CommandFailed"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export const failWith = (error: { readonly message: string }) => Effect.fail(new CommandFailed(error.message))

const midnight = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - (now % 86_400_000)))

/** A time as flags take it; `today` is its first moment in UTC. */
export const instant = (text: string) => {
  if (text === "today") return midnight
  const parsedTime = parseDateTime(text)
  return parsedTime === undefined
    ? failWith({ message: `"${text}" is no time: write YYYY-MM-DD HH:mm:ss (UTC), ISO 8601 or today.` })
    : Effect.succeed(parsedTime.date)
}
