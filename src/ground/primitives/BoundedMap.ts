// A map that holds so many entries at most: what was put in first goes first. Effect's Cache shares its lookups, which is wrong
// for what is read in a transaction of the caller's own, and looks up where some things are only ever put in.

export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#most) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(key, value)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }
}
