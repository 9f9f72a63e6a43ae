// What a schedule leaves to be judged.
import type { DrawnWorld } from "./drawnWorld.ts"
import type { Request } from "./receivers.ts"
import type { Writer } from "./World.ts"

export interface Outcome<Drawn extends DrawnWorld = DrawnWorld> {
  readonly seed: number
  readonly drawn: Drawn
  readonly trace: ReadonlyArray<string>
  readonly writer: Writer
  readonly requests: ReadonlyArray<Request>
  /** How often something was cut off whose answer may have been lost with it. */
  readonly interruptions: number
  readonly isDrained: boolean
}
