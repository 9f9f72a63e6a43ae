// What a fiber does, for who must name it (decisions P8): a run, an activity. Requests name themselves.
import { Context } from "effect"

export class Doing extends Context.Reference<string | undefined>("millrace/Doing", {
  defaultValue: () => undefined
}) {}
