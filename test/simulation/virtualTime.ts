// Time of a schedule. It stands still while anything can go on, and moves only to the next instant that somebody waits for.
import { type Clock, Duration, Effect } from "effect"

interface Timer {
  readonly at: number
  readonly number: number
  readonly isAlive: () => boolean
  /** It is of the schedule: no timer of the test runner, which begin by the machine's clock. */
  readonly isOwn: boolean
  readonly run: () => void
}

/** Instant at which every schedule begins; later than what the seeds of the database carry. */
const START = Date.parse("2031-03-04T08:00:00Z")

export const makeVirtualTime = () => {
  let millis = START
  let count = 0
  let timers: Array<Timer> = []

  const addTimer = (delay: number, run: () => void, isAlive: () => boolean = () => true, isOwn = true) => {
    if (!Number.isFinite(delay)) return () => undefined
    const timer = { at: millis + Math.max(0, Math.ceil(delay)), number: ++count, isAlive, isOwn, run }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }

  /** Moves to the next timer and runs it. */
  const advanceTo = (chosen: ReadonlyArray<Timer>) => {
    const firstTimer = chosen.reduce<Timer | undefined>(
      (best, timer) =>
        best === undefined || timer.at < best.at || (timer.at === best.at && timer.number < best.number) ? timer : best,
      undefined
    )
    if (firstTimer === undefined) return false
    timers = timers.filter((other) => other !== firstTimer)
    millis = Math.max(millis, firstTimer.at)
    firstTimer.run()
    return true
  }
  const living = () => {
    timers = timers.filter(({ isAlive }) => isAlive())
    return timers
  }
  const advance = () => advanceTo(living())
  /** Moves on although somebody could act. */
  const hurry = () => advanceTo(living().filter(({ isOwn }) => isOwn))

  const clockFor = (isAlive: () => boolean): Clock.Clock => ({
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    sleep: (duration) =>
      Effect.callback<void>((resume) =>
        Effect.sync(addTimer(Duration.toMillis(duration), () => resume(Effect.void), isAlive))
      )
  })

  return { now: () => millis, elapsed: () => millis - START, after: addTimer, advance, clockFor, hurry }
}
export type VirtualTime = ReturnType<typeof makeVirtualTime>

type Handle = { readonly [Symbol.toPrimitive]: () => number } & Record<"ref" | "unref", () => unknown>

/**
 * Puts the time in the place of `setTimeout`, `Date.now` and `performance.now`; what is returned puts the real ones back. Intervals never come: the only
 * one tells how late the event loop is, by which less is sent at once, and in a schedule it is never late.
 */
export const installTime = (time: VirtualTime): (() => void) => {
  const real = { setTimeout, clearTimeout, setInterval, now: Date.now }
  const cancels = new Map<number, () => void>()
  let count = 0
  const begin = (run: () => void, delay: number): Handle => {
    const id = ++count
    const fire = () => {
      cancels.delete(id)
      run()
    }
    const end = time.after(Math.max(1, delay), fire, () => true, false)
    cancels.set(id, end)
    const handle: Handle = { [Symbol.toPrimitive]: () => id, ref: () => handle, unref: () => handle }
    return handle
  }
  Object.assign(globalThis, {
    setTimeout: (run: (...args: Array<unknown>) => void, delay = 0, ...args: Array<unknown>) =>
      begin(() => run(...args), delay),
    setInterval: () => begin(() => undefined, Number.POSITIVE_INFINITY),
    clearTimeout: (handle: unknown) => {
      if (handle == null) return
      cancels.get(Number(handle))?.()
      cancels.delete(Number(handle))
    }
  })
  Date.now = time.now
  Object.assign(performance, { now: time.elapsed })
  return () => {
    const { now, ...timers } = real
    Object.assign(globalThis, timers)
    Date.now = now
    Reflect.deleteProperty(performance, "now")
  }
}
