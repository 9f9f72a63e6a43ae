// Time of a schedule. It stands still while anything can go on, and moves only to the next instant that somebody waits for.
import { type Clock, Duration, Effect } from "effect"

interface Timer {
  readonly at: number
  readonly number: number
  readonly isAlive: () => boolean
  readonly run: () => void
}

/** Instant at which every schedule begins; later than what the seeds of the database carry. */
const START = Date.parse("2031-03-04T08:00:00Z")

export const makeVirtualTime = () => {
  let millis = START
  let count = 0
  let timers: Array<Timer> = []

  const after = (delay: number, run: () => void, isAlive: () => boolean = () => true) => {
    if (!Number.isFinite(delay)) return () => undefined
    const timer = { at: millis + Math.max(0, Math.ceil(delay)), number: ++count, isAlive, run }
    timers.push(timer)
    return () => {
      timers = timers.filter((other) => other !== timer)
    }
  }

  /** The timer that is due first, of those whose owner lives. */
  const first = () => {
    timers = timers.filter(({ isAlive }) => isAlive())
    return timers.reduce<Timer | undefined>(
      (best, timer) =>
        best === undefined || timer.at < best.at || (timer.at === best.at && timer.number < best.number) ? timer : best,
      undefined
    )
  }

  /** Moves to the next timer and runs it. */
  const advance = () => {
    const timer = first()
    if (timer === undefined) return false
    timers = timers.filter((other) => other !== timer)
    millis = Math.max(millis, timer.at)
    timer.run()
    return true
  }

  const clockFor = (isAlive: () => boolean): Clock.Clock => ({
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    sleep: (duration) =>
      Effect.callback<void>((resume) =>
        Effect.sync(after(Duration.toMillis(duration), () => resume(Effect.void), isAlive))
      )
  })

  return { now: () => millis, elapsed: () => millis - START, after, advance, nextAt: () => first()?.at, clockFor }
}
export type VirtualTime = ReturnType<typeof makeVirtualTime>

type Handle = { readonly [Symbol.toPrimitive]: () => number } & Record<"ref" | "unref", () => unknown>

/**
 * Puts the time in the place of `setTimeout` and of `Date.now`; what is returned puts the real ones back. Intervals stay real: the only one watches
 * the event loop.
 */
export const installTime = (time: VirtualTime): (() => void) => {
  const real = { setTimeout, clearTimeout, now: Date.now }
  const cancels = new Map<number, () => void>()
  let count = 0
  const begin = (run: () => void, delay: number): Handle => {
    const id = ++count
    const end = time.after(Math.max(1, delay), () => {
      cancels.delete(id)
      run()
    })
    cancels.set(id, end)
    const handle: Handle = { [Symbol.toPrimitive]: () => id, ref: () => handle, unref: () => handle }
    return handle
  }
  Object.assign(globalThis, {
    setTimeout: (run: (...args: Array<unknown>) => void, delay = 0, ...args: Array<unknown>) =>
      begin(() => run(...args), delay),
    clearTimeout: (handle: unknown) => {
      if (handle == null) return
      cancels.get(Number(handle))?.()
      cancels.delete(Number(handle))
    }
  })
  Date.now = time.now
  return () => {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout })
    Date.now = real.now
  }
}
