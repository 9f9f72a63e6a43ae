// Removes what developer-api.md 8.4 forbids: code made from strings, shared memory, threads, WebAssembly, callbacks that outlive the step,
// and the legacy RegExp statics that remember the last match.
const unavailable = (name: string) => {
  const stub = () => {
    throw new EvalError(`${name} is not available in scripts`)
  }
  return Object.defineProperty(stub, "name", { value: name })
}

const GONE = [
  "eval",
  "WebAssembly",
  "SharedArrayBuffer",
  "Atomics",
  "FinalizationRegistry",
  "WeakRef",
  "console"
] as const

/** Constructors of functions: every kind of function has one of its own that compiles source text. */
const makers = (): ReadonlyArray<Function> => [() => {}, async () => {}, function* () {}, async function* () {}]

export const removeGlobals = () => {
  const realm = globalThis as unknown as Record<string, unknown>
  for (const name of GONE) delete realm[name]
  for (const maker of makers()) {
    const prototype = Object.getPrototypeOf(maker)
    const stub = unavailable(prototype.constructor.name)
    Object.defineProperty(stub, "prototype", { value: prototype, writable: false })
    Object.setPrototypeOf(stub, Function.prototype)
    Object.defineProperty(prototype, "constructor", { value: stub, writable: true, configurable: true })
    if (prototype === Function.prototype)
      Object.defineProperty(realm, "Function", { value: stub, writable: true, configurable: true })
  }
  for (const name of Object.getOwnPropertyNames(RegExp))
    if (/^(\$.|input|lastMatch|lastParen|leftContext|rightContext)$/.test(name)) delete (RegExp as any)[name]
}

/** Freezes everything reachable from the realm's global object, so that no evaluation can leave a trace in it. */
export const harden = () => {
  const frozenObjects = new Set<object>()
  const queue: Array<unknown> = [globalThis]
  for (const maker of makers()) queue.push(Object.getPrototypeOf(maker), maker.prototype)
  queue.push(
    Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
    ...[[], new Map(), new Set(), ""].map((x) => Object.getPrototypeOf((x as Iterable<unknown>)[Symbol.iterator]())),
    Object.getPrototypeOf("".matchAll(/./g)),
    Object.getPrototypeOf(Uint8Array),
    Object.getPrototypeOf(new Intl.Segmenter().segment("")),
    Object.getPrototypeOf(new Intl.Segmenter().segment("")[Symbol.iterator]()),
    // Iterator helpers, which the type library does not know yet.
    Object.getPrototypeOf((globalThis as any).Iterator.from({ next: () => ({ done: true, value: undefined }) })),
    Object.getPrototypeOf(([].values() as any).map((x: unknown) => x))
  )
  for (let item = queue.pop(); queue.length > 0 || item !== undefined; item = queue.pop()) {
    if (item === null || (typeof item !== "object" && typeof item !== "function") || frozenObjects.has(item)) continue
    frozenObjects.add(item)
    queue.push(Object.getPrototypeOf(item))
    for (const key of Reflect.ownKeys(item)) {
      const property = Object.getOwnPropertyDescriptor(item, key)
      if (property !== undefined) queue.push(...("value" in property ? [property.value] : [property.get, property.set]))
    }
  }
  for (const object of frozenObjects) if (!ArrayBuffer.isView(object)) Object.freeze(object)
}
