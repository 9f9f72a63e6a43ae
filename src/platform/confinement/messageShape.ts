// Shapes of the messages between confined processes and the service (decisions P9). Every text, list and number has a bound. Both sides
// decode with them; in the process itself Effect's own schemas would be ten times the program.

/** Error that says where a message is wrong, never what it holds. */
export class WrongMessage extends Error {}

export type MessageShape<A> = (value: unknown, at: string) => A

export type Shaped<S> = S extends MessageShape<infer A> ? A : never

const wrong = (at: string, expected: string): never => {
  throw new WrongMessage(`${at}: expected ${expected}`)
}

/** Text of at most `most` UTF-16 units. */
export const text =
  (most: number): MessageShape<string> =>
  (value, at) =>
    typeof value === "string" && value.length <= most ? value : wrong(at, `text of at most ${most}`)

export const flag: MessageShape<boolean> = (value, at) =>
  typeof value === "boolean" ? value : wrong(at, "true or false")

export const whole =
  (least: number, most: number): MessageShape<number> =>
  (value, at) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : wrong(at, `an integer from ${least} to ${most}`)

export const amount =
  (most: number): MessageShape<number> =>
  (value, at) =>
    typeof value === "number" && value >= 0 && value <= most ? value : wrong(at, `a number from 0 to ${most}`)

export const one =
  <const A extends string | boolean | null>(...values: ReadonlyArray<A>): MessageShape<A> =>
  (value, at) =>
    values.includes(value as A) ? (value as A) : wrong(at, values.join(" or "))

export const nullable =
  <A>(shape: MessageShape<A>): MessageShape<A | null> =>
  (value, at) =>
    value === null ? null : shape(value, at)

export const list =
  <A>(item: MessageShape<A>, most: number): MessageShape<ReadonlyArray<A>> =>
  (value, at) =>
    Array.isArray(value) && value.length <= most
      ? value.map((v, i) => item(v, `${at}[${i}]`))
      : wrong(at, `a list of at most ${most}`)

type Members = Readonly<Record<string, MessageShape<unknown>>>
type Struct<M extends Members> = { readonly [K in keyof M]: Shaped<M[K]> }

/** Object with exactly these members. */
export const struct = <M extends Members>(members: M): MessageShape<Struct<M>> => {
  const entries = Object.entries(members)
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong(at, "an object")
    const record = value as Record<string, unknown>
    const out: Record<string, unknown> = {}
    for (const [name, shape] of entries)
      out[name] = shape(Object.hasOwn(record, name) ? record[name] : undefined, `${at}.${name}`)
    if (Object.keys(record).length > entries.length) wrong(at, `no members beside ${entries.map(([name]) => name)}`)
    return out as Struct<M>
  }
}

/** Shape of one of several structs, discriminated by the text in their member `tag`. */
export const variants =
  <V extends Readonly<Record<string, MessageShape<unknown>>>>(
    tag: string,
    shapes: V
  ): MessageShape<Shaped<V[keyof V]>> =>
  (value, at) => {
    const name = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[tag] : undefined
    const shape = typeof name === "string" && Object.hasOwn(shapes, name) ? shapes[name] : undefined
    return (shape === undefined ? wrong(`${at}.${tag}`, Object.keys(shapes).join(" or ")) : shape(value, at)) as Shaped<
      V[keyof V]
    >
  }
