// Services and settings that a request is carried out with: the API in the process, for its caller, and the outcomes of runs that it asked
// for.
import type { Effect } from "effect"
import type { Budget } from "../../api/middleware/RateLimit.ts"
import type { ResolvedCaller } from "../../domain/accounts/callerFacts.ts"
import type { InProcess } from "../../domain/accounts/InProcess.ts"
import type { RunOutcomes } from "../../domain/automations/requests/RunOutcomes.ts"
import type { Secrets } from "../../platform/sealing/Secrets.ts"
import type { ShownLimits } from "../docs/docsPages.ts"

export interface ToolContext {
  readonly api: InProcess["Service"]
  readonly caller: ResolvedCaller
  /** The caller asked for what changes nothing. */
  readonly onlyReads: boolean
  readonly outcomes: RunOutcomes["Service"]
  readonly limits: ShownLimits
  readonly secrets: Pick<Secrets["Service"], "sign" | "verify">
  /** True if the client follows tasks. */
  readonly tasks: boolean
  /** Takes credits of the caller, as a multiple of the base cost: for what the API is not asked for. */
  readonly spend: (cost: number) => Effect.Effect<Budget>
  /** Milliseconds that an answer waits for a run. */
  readonly patience: number
}
