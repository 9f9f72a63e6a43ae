// A call that Temporal refused or did not answer; the cause says why.
import { Schema } from "effect"

export class TemporalFailed extends Schema.TaggedError<TemporalFailed>()("TemporalFailed", {
  cause: Schema.Defect()
}) {
  override get message() {
    return this.cause instanceof Error ? `${this.cause.name}: ${this.cause.message}` : "unknown failure"
  }
}
