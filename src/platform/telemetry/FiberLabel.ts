// Label of a fiber's work, for code that must name it (decisions P8): a run, an activity. Requests name themselves.
import { Context } from "effect"

export class FiberLabel extends Context.Reference<string | undefined>("millrace/FiberLabel", {
  defaultValue: () => undefined
}) {}
