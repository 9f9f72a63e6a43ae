// Map with a maximum number of entries: the oldest is removed first. Effect's Cache shares its look-ups, which is wrong for reads in a
// transaction of the caller's own, and it always looks up, where some entries are only ever put in.

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
