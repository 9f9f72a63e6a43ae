// The epoch is over while it was worked in: nothing of it is believed any more. The process that serves ends and begins anew.
import { Schema } from "effect"

export class EpochOver extends Schema.TaggedError<EpochOver>()("EpochOver", { why: Schema.String }) {
  override get message() {
    return `The database is not the one that it was, and a new epoch of the installation begins: ${this.why}.`
  }
}
