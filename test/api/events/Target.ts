// Where hooks of these tests are sent.
import { Context } from "effect"
import type { Receiver } from "../../support/receiver.ts"

export class Target extends Context.Service<Target, Receiver>()("test/events/Target") {}
