// Finds the fiber that blocked the event loop (decisions P8): a late heartbeat tells that it was blocked, the scheduler which fiber ran.
// Both cost next to nothing. The scheduler notes a longer time slice when the next fiber takes its own, and the notes are read only when a
// heartbeat is late.
import { Context, Effect, type Fiber, Layer, Scheduler } from "effect"
import { HttpServerRequest } from "effect/http"
import { counter } from "../metrics/instruments.ts"
import { LAG_INTERVAL_MILLIS, onLagReport } from "../primitives/eventLoopLag.ts"
import { loggable, pathOf } from "../primitives/requestPath.ts"
import { FiberLabel } from "./FiberLabel.ts"
import { watchDelay } from "./loopDelay.ts"

/** Longest stall that is not logged. */
const TOLD_MILLIS = 200
const WINDOW_MILLIS = 60_000
/** Time slices that are remembered; a stall has few, since it consists of long ones. */
const TURNS = 256
/** Shortest time slice that is noted: shorter ones do not block the loop, unless there are hundreds. */
const SHORTEST_MILLIS = 1

type AnyFiber = Fiber.Fiber<unknown, unknown>

/** Texts that a fiber is named by; the name is put together when a stall is told. */
interface Named {
  readonly doing: string | undefined
  readonly method: string | undefined
  readonly url: string
}

/**
 * Ring of the longer time slices, by what the fibers are named by. Only the last fiber itself is referenced: with its request each has tens
 * of kilobytes, which the garbage collector would copy again and again.
 */
class Turns extends Scheduler.MixedScheduler {
  private last: AnyFiber | undefined
  /** Context at the slice's beginning: a fiber that has ended has none. */
  private lastContext: Context.Context<never> | undefined
  private lastBegun = 0
  private at = 0
  private readonly names = new Array<Named | undefined>(TURNS)
  private readonly begun = new Float64Array(TURNS)
  private readonly ended = new Float64Array(TURNS)

  override shouldYield(fiber: AnyFiber): boolean {
    // Recognizes a new slice of the last fiber: the count restarts with each slice.
    if (fiber !== this.last || fiber.currentOpCount <= 1) {
      const nowMillis = performance.now()
      if (nowMillis - this.lastBegun >= SHORTEST_MILLIS) this.note(nowMillis)
      this.last = fiber
      this.lastContext = fiber.context
      this.lastBegun = nowMillis
    }
    return super.shouldYield(fiber)
  }

  /** Notes the time slice that ends now: it was the last fiber's, or nobody's. */
  private note(now: number): void {
    this.at = (this.at + 1) % TURNS
    this.names[this.at] = this.lastName()
    this.begun[this.at] = this.lastBegun
    this.ended[this.at] = now
  }

  private lastName(): Named | undefined {
    return namedBy(this.last?.context) ?? namedBy(this.lastContext)
  }

  /** Fiber with the longest time slice between the two instants. */
  longest(from: number, to: number): { readonly name: string | undefined; readonly millis: number } {
    let longestSlice = { named: this.lastName(), millis: to - Math.max(from, this.lastBegun) }
    for (let offset = 0; offset < TURNS; offset++) {
      const slotIndex = (this.at - offset + TURNS) % TURNS
      if (this.ended[slotIndex]! <= from) break
      const millis = this.ended[slotIndex]! - Math.max(from, this.begun[slotIndex]!)
      if (millis > longestSlice.millis) longestSlice = { named: this.names[slotIndex], millis }
    }
    return { name: nameOf(longestSlice.named), millis: longestSlice.millis }
  }

  /** Drops the reference to a fiber that ended long ago. */
  forget(before: number): void {
    if (this.lastBegun < before) this.last = this.lastContext = undefined
  }
}

const namedBy = (context: Context.Context<never> | undefined): Named | undefined => {
  if (context === undefined) return undefined
  const doing = Context.get(context, FiberLabel)
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return doing === undefined && request === undefined
    ? undefined
    : { doing, method: request?.method, url: request?.originalUrl ?? "" }
}

const nameOf = (named: Named | undefined): string | undefined => {
  if (named === undefined) return undefined
  const { doing, method, url } = named
  const requestText = method === undefined ? undefined : `${method} ${loggable(pathOf(url))}`
  return doing === undefined ? requestText : requestText === undefined ? doing : `${doing}, ${requestText}`
}

const stalls = counter("millrace.eventloop.stalls")

const watch = (turns: Turns) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const beginMinute = yield* watchDelay
    let window = performance.now()
    const tell = (held: number, worked: number, name: string | undefined) =>
      Effect.andThen(
        Effect.sync(() => stalls.add(1)),
        Effect.logWarning(
          `the event loop was held for ${Math.round(held)} ms (${Math.round(worked)} ms of work) by ${name ?? "something outside of requests and runs"}`
        )
      )
    const stop = onLagReport(({ late, worked }) => {
      const nowMillis = performance.now()
      if (late > TOLD_MILLIS) {
        const { name } = turns.longest(nowMillis - LAG_INTERVAL_MILLIS - late, nowMillis)
        Effect.runForkWith(context)(tell(late, worked, name))
      }
      if (nowMillis - window > WINDOW_MILLIS) {
        window = nowMillis
        beginMinute()
        turns.forget(nowMillis - WINDOW_MILLIS)
      }
    })
    yield* Effect.addFinalizer(() => Effect.sync(stop))
  })

/** Scheduler of everything above it, watched. */
export const LoopWatch = Layer.effect(
  Scheduler.Scheduler,
  Effect.gen(function* () {
    const loopTurns = new Turns()
    yield* watch(loopTurns)
    return loopTurns
  })
)
