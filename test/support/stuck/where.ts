// Where the effects of this process stand: the places at which the generators of its live fibers are suspended. V8 is asked when
// something hangs, and only then, so that it costs nothing before.
import { type Runtime, Session } from "node:inspector/promises"
import type { Place } from "./settings.ts"

/** A fiber as V8 finds it: what it has still to do, innermost last (`FiberImpl` in effect/internal/effect). */
interface LiveFiber {
  readonly _exit: unknown
  readonly _stack: ReadonlyArray<{ readonly iterator?: unknown }>
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

  /** All reachable objects with this prototype. */
  async instances<A>(prototype: object): Promise<ReadonlyArray<A>> {
    const prototypeObjectId = await this.#remote(prototype)
    const { objects } = await this.#session.post("Runtime.queryObjects", { prototypeObjectId })
    await this.#session.post("Runtime.callFunctionOn", {
      objectId: objects.objectId!,
      functionDeclaration: `function () { globalThis["${HAND}"] = [...this] }`
    })
    return hand[HAND] as ReadonlyArray<A>
  }

  /** Where a generator is suspended. */
  async placeOf(generator: object): Promise<Place | undefined> {
    const objectId = await this.#remote(generator)
    const { internalProperties = [] } = await this.#session.post("Runtime.getProperties", { objectId })
    const place = internalProperties.find(({ name }) => name === "[[GeneratorLocation]]")?.value?.value
    const url = this.#urls.get(place?.scriptId)
    return url === undefined ? undefined : { url, line: place.lineNumber + 1, column: place.columnNumber }
  }
}

/** A list of places for each fiber that waits, outermost first. */
export const whereFibersWait = async (): Promise<ReadonlyArray<ReadonlyArray<Place>>> => {
  const { Effect, Fiber } = await import("effect")
  const inspector = new Inspector()
  await inspector.open()
  try {
    const own = Effect.runFork(Effect.never)
    const fibers = await inspector.instances<LiveFiber>(Object.getPrototypeOf(own))
    await Effect.runPromise(Fiber.interrupt(own))
    const found: Array<ReadonlyArray<Place>> = []
    for (const { _exit, _stack } of fibers) {
      if (_exit !== undefined) continue
      const places: Array<Place> = []
      for (const { iterator } of _stack) {
        const place = typeof iterator === "object" && iterator !== null ? await inspector.placeOf(iterator) : undefined
        if (place !== undefined) places.push(place)
      }
      found.push(places)
    }
    return found
  } finally {
    inspector.close()
  }
}
