// Checks whether scripts parse, and which of their calls nobody awaits, without running them and outside of the main thread
// (developer-api.md 7.13 `warnings`; decisions P8, A28).
import { Effect, Schema } from "effect"
import { makeWorkerThread } from "../primitives/workerThread.ts"
import type { ScriptFindings, ScriptText } from "./syntaxJobs.ts"

export type { DroppedCall } from "./droppedCalls.ts"
export type { SyntaxFault } from "./scriptForms.ts"
export type { ScriptText } from "./syntaxJobs.ts"

/** The scripts of a definition are parsed in a few milliseconds; whatever takes this long is tangled on purpose. */
const JOB_MS = 30_000

/** The scripts could not be parsed in time: nothing is known of them. */
export class SyntaxUnknown extends Schema.TaggedError<SyntaxUnknown>()("SyntaxUnknown", { message: Schema.String }) {}

const work = makeWorkerThread<ReadonlyArray<ScriptText>, ReadonlyArray<ScriptFindings>>(
  new URL("./syntaxJobs.ts", import.meta.url),
  JOB_MS
)

/** Findings of each script, in their order. */
export const syntaxOf = (
  scripts: ReadonlyArray<ScriptText>
): Effect.Effect<ReadonlyArray<ScriptFindings>, SyntaxUnknown> =>
  work(scripts).pipe(
    Effect.mapError(() => new SyntaxUnknown({ message: "The scripts are too tangled to be parsed in time." }))
  )
