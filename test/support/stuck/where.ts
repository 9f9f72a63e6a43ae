// Where the effects of this process stand: the places at which the generators of its live fibers are suspended. V8 is asked for these
// when something hangs, and only then. It could list the fibers too, but goes through the whole heap for seconds: whatever waits for this
// process, as who calls a receiver of webhooks in it, would run out of time.
import { type Runtime, Session } from "node:inspector/promises"
import type { Place } from "./settings.ts"

/** What it has still to do, innermost last (`FiberImpl` in effect/internal/effect). */
interface LiveFiber {
  readonly id: number
  readonly _exit: unknown
  readonly _stack: ReadonlyArray<{ readonly iterator?: unknown }>
}

interface Evaluating {
  evaluate(this: LiveFiber, effect: unknown): void
}

/** Of the process, whatever is loaded again for each file of tests. */
const shared = globalThis as { "millrace/fibers"?: Map<number, WeakRef<LiveFiber>> }

/** Keeps which fibers wait, from now on. */
export const watchFibers = async () => {
  if (shared["millrace/fibers"] !== undefined) return
  const living = new Map<number, WeakRef<LiveFiber>>()
  shared["millrace/fibers"] = living
  const { Effect } = await import("effect")
  const prototype: Evaluating = Object.getPrototypeOf(Effect.runFork(Effect.void))
  const { evaluate } = prototype
  prototype.evaluate = function (effect) {
    evaluate.call(this, effect)
    // Most fibers are over at once: nobody could look at them, and a reference for each costs a quarter of its run.
    if (this._exit !== undefined) living.delete(this.id)
    else if (!living.has(this.id)) living.set(this.id, new WeakRef(this))
  }
}

const live = (): ReadonlyArray<LiveFiber> => {
  const living = shared["millrace/fibers"] ?? new Map<number, WeakRef<LiveFiber>>()
  const liveFibers = [...living].map(([id, reference]) => ({ id, fiber: reference.deref() }))
  for (const { fiber, id } of liveFibers) if (fiber === undefined) living.delete(id)
  return liveFibers.flatMap(({ fiber }) => fiber ?? [])
}

/** By which the inspector and this program hand values to each other. */
const HAND = "millrace/stuck"
const hand = globalThis as { [HAND]?: unknown }

class Inspector {
  readonly #session = new Session()
  readonly #urls = new Map<string, string>()

  async open() {
    this.#session.connect()
    this.#session.on("Debugger.scriptParsed", ({ params }) => this.#urls.set(params.scriptId, params.url))
    await this.#session.post("Debugger.enable")
  }

  close() {
    delete hand[HAND]
    this.#session.disconnect()
  }

  async #remote(value: unknown): Promise<Runtime.RemoteObjectId> {
    hand[HAND] = value
    const { result } = await this.#session.post("Runtime.evaluate", { expression: `globalThis["${HAND}"]` })
    return result.objectId!
  }

  /** Where a generator is suspended. */
  async placeOf(generator: object): Promise<Place | undefined> {
    const objectId = await this.#remote(generator)
    const { internalProperties = [] } = await this.#session.post("Runtime.getProperties", { objectId })
    const location = internalProperties.find(({ name }) => name === "[[GeneratorLocation]]")?.value?.value
    const url = this.#urls.get(location?.scriptId)
    return url === undefined ? undefined : { url, line: location.lineNumber + 1, column: location.columnNumber }
  }
}

/** A list of places for each fiber that waits, outermost first. */
export const whereFibersWait = async (): Promise<ReadonlyArray<ReadonlyArray<Place>>> => {
  const inspector = new Inspector()
  await inspector.open()
  try {
    const fiberPlaces: Array<ReadonlyArray<Place>> = []
    for (const { _stack } of live()) {
      const stackPlaces: Array<Place> = []
      for (const { iterator } of _stack) {
        const stackPlace =
          typeof iterator === "object" && iterator !== null ? await inspector.placeOf(iterator) : undefined
        if (stackPlace !== undefined) stackPlaces.push(stackPlace)
      }
      fiberPlaces.push(stackPlaces)
    }
    return fiberPlaces
  } finally {
    inspector.close()
  }
}
