// Manages the isolates and contexts of one script process. The next context is made ready while no request waits.
import type Ivm from "isolated-vm"
import type { Init } from "../protocol.ts"
import { ivm } from "./ivm.ts"

/** Memory for the script environment itself, beyond what the limit leaves to the script. */
const OWN_MIB = 16
const TIDY_ABOVE = 24 * 1024 * 1024

export interface Realm {
  readonly isolate: Ivm.Isolate
  readonly context: Ivm.Context
  readonly exports: Ivm.Reference
  /** Functions of a single script, fetched ahead: each fetch is a trip to the isolate's thread. */
  readonly entries: { readonly sync: Ivm.Reference; readonly async: Ivm.Reference; readonly settle: Ivm.Reference }
}

const makeIsolate = async (code: string, cachedData: Ivm.ExternalCopy<ArrayBuffer> | undefined, memoryMiB: number) => {
  const isolate = new ivm.Isolate({ memoryLimit: memoryMiB + OWN_MIB, onCatastrophicError: () => process.abort() })
  const options = cachedData === undefined ? { produceCachedData: true as const } : { cachedData }
  const script = await isolate.compileScript(code, { ...options, filename: "environment" })
  return { isolate, script, used: 0 }
}

export class Realms {
  readonly #init: Init
  #cachedData: Ivm.ExternalCopy<ArrayBuffer> | undefined
  #home: Awaited<ReturnType<typeof makeIsolate>> | undefined
  #next: Promise<Realm> | undefined

  constructor(init: Init) {
    this.#init = init
  }

  async warm() {
    this.#next ??= this.#make(this.#init.memoryMiB)
    await this.#next
  }

  async #make(memoryMiB: number): Promise<Realm> {
    const shared = memoryMiB === this.#init.memoryMiB
    let home = shared ? this.#home : undefined
    if (home === undefined || home.used >= this.#init.scriptsPerIsolate || home.isolate.isDisposed) {
      home = await makeIsolate(this.#init.code, this.#cachedData, memoryMiB)
      this.#cachedData ??= (home.script as unknown as { cachedData?: Ivm.ExternalCopy<ArrayBuffer> }).cachedData
      if (shared) {
        this.#retire()
        this.#home = home
      }
    }
    home.used++
    const context = await home.isolate.createContext()
    const exports = (await home.script.run(context, { reference: true })) as Ivm.Reference
    const entry = (name: string) => exports.get(name, { reference: true })
    const [sync, async, settle] = await Promise.all([entry("runSync"), entry("runAsync"), entry("settle")])
    return { isolate: home.isolate, context, exports, entries: { sync, async, settle } }
  }

  #retire() {
    if (this.#home !== undefined && !this.#home.isolate.isDisposed) this.#home.isolate.dispose()
    this.#home = undefined
  }

  /** Takes a realm that no script has seen. */
  async take(memoryMiB: number): Promise<Realm> {
    if (memoryMiB !== this.#init.memoryMiB) return this.#make(memoryMiB)
    const next = this.#next ?? this.#make(memoryMiB)
    this.#next = undefined
    return next
  }

  release(realm: Realm) {
    if (realm.isolate.isDisposed) return
    realm.exports.release()
    realm.context.release()
    if (realm.isolate !== this.#home?.isolate) realm.isolate.dispose()
  }

  /** Cleans up after a script: drops an isolate that grew, and makes the next realm ready. */
  async tidy() {
    const home = this.#home
    if (home !== undefined && !home.isolate.isDisposed) {
      if (home.used >= this.#init.scriptsPerIsolate) this.#retire()
      else {
        const heap = await home.isolate.getHeapStatistics()
        if (heap.used_heap_size + heap.externally_allocated_size > TIDY_ABOVE) this.#retire()
      }
    }
    await this.warm()
  }
}
