// Error: the epoch ended during the work. Nothing of it counts any more; the process that serves ends and starts anew.
import { Schema } from "effect"

export class EpochOver extends Schema.TaggedError<EpochOver>()("EpochOver", { why: Schema.String }) {
  override get message() {
    return `The database is not the one that it was, and a new epoch of the installation begins: ${this.why}.`
  }
}
