// Whether scripts parse, told without running them and outside of the main thread (developer-api.md 7.13 `warnings`; decisions P8).
import { Effect, Schema } from "effect"
import { makeApart } from "../primitives/apart.ts"
import type { ScriptText, SyntaxFault } from "./syntaxJobs.ts"

export type { ScriptText, SyntaxFault } from "./syntaxJobs.ts"

/** The scripts of a definition are parsed in a few milliseconds; whatever takes this long is tangled on purpose. */
const JOB_MS = 30_000

/** The scripts could not be parsed in time: nothing is known of them. */
export class SyntaxUnknown extends Schema.TaggedError<SyntaxUnknown>()("SyntaxUnknown", { message: Schema.String }) {}

const work = makeApart<ReadonlyArray<ScriptText>, ReadonlyArray<SyntaxFault | null>>(
  new URL("./syntaxJobs.ts", import.meta.url),
  JOB_MS
)

/** What is wrong with each, in their order; `null` where it parses. */
export const syntaxOf = (
  scripts: ReadonlyArray<ScriptText>
): Effect.Effect<ReadonlyArray<SyntaxFault | null>, SyntaxUnknown> =>
  work(scripts).pipe(
    Effect.mapError(() => new SyntaxUnknown({ message: "The scripts are too tangled to be parsed in time." }))
  )
